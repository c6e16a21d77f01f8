package weka.classifiers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import weka.classifiers.meta.Bagging;
import weka.classifiers.meta.RandomCommittee;
import weka.classifiers.meta.RandomSubSpace;
import weka.classifiers.trees.RandomForest;

/**
 * Weka's ensembles that fail if a member cannot be grown. On several threads Weka's own go on without it: if
 * they run out of memory, they leave trees that end anywhere.
 */
public final class ParallelEnsembles {
  /** Stack size in bytes of a thread that grows trees; Java's default is a fraction of that of Python's threads. */
  private static final long STACK_SIZE = 1 << 26;

  private ParallelEnsembles() {}

  /** The ensemble of that class name, null for any other class. */
  public static Classifier named(String className) {
    if (className.equals(Bagging.class.getName())) {
      return new TellingBagging();
    }
    if (className.equals(RandomCommittee.class.getName())) {
      return new TellingCommittee();
    }
    if (className.equals(RandomSubSpace.class.getName())) {
      return new TellingSubSpace();
    }
    return className.equals(RandomForest.class.getName()) ? new TellingForest() : null;
  }

  static final class TellingBagging extends Bagging {
    private static final long serialVersionUID = 1;

    @Override
    protected void buildClassifiers() throws Exception {
      if (!grewOnThreads(this)) {
        super.buildClassifiers();
      }
    }
  }

  static final class TellingForest extends RandomForest {
    private static final long serialVersionUID = 1;

    @Override
    protected void buildClassifiers() throws Exception {
      if (!grewOnThreads(this)) {
        super.buildClassifiers();
      }
    }
  }

  static final class TellingCommittee extends RandomCommittee {
    private static final long serialVersionUID = 1;

    @Override
    protected void buildClassifiers() throws Exception {
      if (!grewOnThreads(this)) {
        super.buildClassifiers();
      }
    }
  }

  static final class TellingSubSpace extends RandomSubSpace {
    private static final long serialVersionUID = 1;

    @Override
    protected void buildClassifiers() throws Exception {
      if (!grewOnThreads(this)) {
        super.buildClassifiers();
      }
    }
  }

  /** Grow all members on as many threads as the ensemble has slots; does nothing if it has only one. */
  private static boolean grewOnThreads(ParallelIteratedSingleClassifierEnhancer ensemble) throws Exception {
    int slots = ensemble.m_numExecutionSlots;
    if (slots == 1) {
      return false;
    }
    ExecutorService pool = Executors.newFixedThreadPool(
        slots == 0 ? Runtime.getRuntime().availableProcessors() : slots, ParallelEnsembles::grower);
    try {
      List<Future<?>> growing = new ArrayList<>();
      for (int m = 0; m < ensemble.m_Classifiers.length; m++) {
        int member = m;
        growing.add(pool.submit(() -> {
          ensemble.m_Classifiers[member].buildClassifier(ensemble.getTrainingSet(member));
          return null;
        }));
      }
      for (Future<?> grown : growing) {
        grown.get();
      }
      return true;
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof Error) {
        throw (Error) failure.getCause();
      }
      throw (Exception) failure.getCause();
    } finally {
      pool.shutdownNow();
    }
  }

  private static Thread grower(Runnable growing) {
    Thread thread = new Thread(null, growing, "wekaconf grower", STACK_SIZE);
    thread.setDaemon(true);
    return thread;
  }
}
