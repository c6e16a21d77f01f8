package wekaconf;

import java.awt.GraphicsEnvironment;
import java.awt.Window;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.swing.JFrame;
import javax.swing.SwingUtilities;
import javax.swing.WindowConstants;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.ParallelEnsembles;
import weka.classifiers.trees.Exports;
import weka.classifiers.trees.FlatTree;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.Python;
import weka.classifiers.trees.TreeFlattener;
import weka.core.Attribute;
import weka.core.ClassDiscovery;
import weka.core.DenseInstance;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Option;
import weka.core.OptionHandler;
import weka.core.SerializationHelper;
import weka.core.SharedDateFormat;
import weka.core.SparseInstance;
import weka.core.Utils;
import weka.core.Version;
import weka.core.converters.ArffLoader;
import weka.filters.Filter;
import weka.gui.LookAndFeel;
import weka.gui.explorer.Explorer;

/**
 * Everything that Python needs of Weka. Only strings, primitive arrays and opaque objects are passed, so that any
 * Python-to-Java bridge can be used; a result of several parts is a map, which is read with the three getters.
 */
public final class Facade {

  /** Stack size in bytes of a thread that grows trees; Java's default is a fraction of that of Python's threads. */
  private static final long STACK_SIZE = 1 << 26;

  /** What J48 says of a confidence above 0.5, in weka.classifiers.trees.j48.Stats. */
  private static final String PRUNING = "WARNING: confidence value for pruning  too high. Error estimate not modified.";

  /** A reference, since a logger without one may lose its level; netlib warns that it has found no native library. */
  private static final Logger NETLIB = Logger.getLogger("com.github.fommil.netlib");

  /** Threads that build beside others; each is kept for a minute. */
  private static final ExecutorService GROWERS = Executors.newCachedThreadPool(Facade::grower);

  static {
    NETLIB.setLevel(Level.OFF);
    new J48().getCapabilities(); // the first call reads a table, which two threads must not do at the same time
    if (Facade.class.getClassLoader() != J48.class.getClassLoader()) {
      defineClassifiers();
      defineBeside(Classifier.class, "ParallelEnsembles");
      defineBeside(Classifier.class, "ParallelEnsembles$TellingBagging");
      defineBeside(Classifier.class, "ParallelEnsembles$TellingForest");
      defineBeside(Classifier.class, "ParallelEnsembles$TellingCommittee");
      defineBeside(Classifier.class, "ParallelEnsembles$TellingSubSpace");
      defineBeside(Attribute.class, "SharedDateFormat");
    }
  }

  /**
   * In a virtual machine that was started by others our jar has a class loader of its own; classes that read Weka's
   * protected fields must be defined by Weka's class loader.
   */
  private static void defineBeside(Class<?> neighbour, String name) {
    String path = "/" + neighbour.getPackageName().replace('.', '/') + "/" + name + ".class";
    try (InputStream code = Facade.class.getResourceAsStream(path)) {
      MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(code.readAllBytes());
    } catch (IOException | IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  /** The classes of weka.classifiers.trees, each after those that it extends, and the jar for Weka's own search. */
  private static void defineClassifiers() {
    try (InputStream names = Facade.class.getResourceAsStream("classifiers.txt")) {
      for (String name : new String(names.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        defineBeside(J48.class, name);
      }
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private Facade() {}

  /** Who answers Weka's classifiers of ours in a virtual machine that Python runs. */
  public static void setHandler(Object handler) {
    Python.setHandler((Python.Handler) handler);
  }

  /** The Python that is started to answer them, where its own package cannot be called from Java. */
  public static void setPython(String executable) {
    System.setProperty("wekaconf.python", executable);
  }

  /** Makes classes of a jar known to Weka's search for classifiers. */
  public static void announce(String jar) {
    String path = System.getProperty("java.class.path");
    if (!Arrays.asList(path.split(File.pathSeparator)).contains(jar)) {
      System.setProperty("java.class.path", path + File.pathSeparator + jar);
      ClassDiscovery.clearClassCache();
    }
  }

  /** Lets Weka say only once what it says for every leaf that it prunes. */
  public static void warnOnce() {
    System.setErr(new PrintStream(System.err, true) {
      private final AtomicBoolean isSaid = new AtomicBoolean();

      @Override
      public void println(String line) {
        if (!PRUNING.equals(line) || isSaid.compareAndSet(false, true)) {
          super.println(line);
        }
      }
    });
  }

  /** The numbers of that name, or with several names, divided by blanks, all their numbers one after another. */
  public static double[] doubles(Object result, String names) {
    return (double[]) numbers((Map<?, ?>) result, names, double.class);
  }

  /** As {@link #doubles}. */
  public static int[] ints(Object result, String names) {
    return (int[]) numbers((Map<?, ?>) result, names, int.class);
  }

  private static Object numbers(Map<?, ?> result, String names, Class<?> kind) {
    if (names.indexOf(' ') < 0) {
      return result.get(names);
    }
    String[] each = names.split(" ");
    int length = 0;
    for (String name : each) {
      length = Math.addExact(length, Array.getLength(result.get(name)));
    }
    Object all = Array.newInstance(kind, length);
    int begin = 0;
    for (String name : each) {
      Object numbers = result.get(name);
      int count = Array.getLength(numbers);
      System.arraycopy(numbers, 0, all, begin, count);
      begin += count;
    }
    return all;
  }

  public static String[] strings(Object result, String key) {
    return (String[]) ((Map<?, ?>) result).get(key);
  }

  /** {Weka version, Java version, Java vendor, java.home, maximal heap in bytes, local time zone}. */
  public static String[] about() {
    return new String[] {
      Version.VERSION, System.getProperty("java.version"), System.getProperty("java.vendor"),
      System.getProperty("java.home"), String.valueOf(Runtime.getRuntime().maxMemory()),
      TimeZone.getDefault().toZoneId().getId()
    };
  }

  // ---- Explorer ----

  private static volatile Explorer explorer;

  /** Opens Weka's Explorer in a window, with instances if they are not null; 0 if there is no display. */
  public static int[] openExplorer(Object instances) throws Exception {
    if (GraphicsEnvironment.isHeadless()) {
      return new int[] {0};
    }
    SwingUtilities.invokeAndWait(() -> {
      LookAndFeel.setLookAndFeel();
      Explorer opened = new Explorer();
      JFrame frame = new JFrame("Weka Explorer");
      frame.setDefaultCloseOperation(WindowConstants.DISPOSE_ON_CLOSE);
      frame.addWindowListener(new WindowAdapter() {
        @Override
        public void windowClosed(WindowEvent event) {
          explorer = null;
        }
      });
      frame.getContentPane().add(opened);
      frame.setSize(1000, 750);
      frame.setVisible(true);
      if (instances != null) {
        opened.getPreprocessPanel().setInstances((Instances) instances);
      }
      explorer = opened;
    });
    return new int[] {1};
  }

  /** Whether the Explorer is open: 1 or 0. */
  public static int[] isExplorerOpen() {
    return new int[] {explorer == null ? 0 : 1};
  }

  /** Closes all windows, without which the virtual machine would not end. */
  public static void closeWindows() throws Exception {
    SwingUtilities.invokeAndWait(() -> {
      for (Window window : Window.getWindows()) {
        window.dispose();
      }
    });
  }

  // ---- instances ----

  /** Instances without any; values and date formats are concatenated in attribute order, counted by valueCounts. */
  public static Object emptyInstances(String relation, int classIndex, String[] names, int[] kinds, int[] valueCounts,
      String[] values) {
    ArrayList<Attribute> attributes = new ArrayList<>(names.length);
    int next = 0;
    for (int a = 0; a < names.length; a++) {
      List<String> texts = new ArrayList<>(valueCounts[a]);
      for (int v = 0; v < valueCounts[a]; v++) {
        texts.add(values[next++]);
      }
      attributes.add(attribute(names[a], kinds[a], texts));
    }
    Instances data = new Instances(relation, attributes, 0);
    data.setClassIndex(classIndex);
    return data;
  }

  /** Instances with the attributes of others; rows are concatenated. Sparse rows are named in ascending order. */
  public static Object instances(Object header, double[] cells, double[] weights, int[] sparseRows) {
    Instances data = new Instances((Instances) header, weights.length);
    int width = data.numAttributes();
    int sparse = 0;
    for (int row = 0; row < weights.length; row++) {
      double[] values = Arrays.copyOfRange(cells, row * width, (row + 1) * width);
      boolean isSparse = sparse < sparseRows.length && sparseRows[sparse] == row;
      sparse += isSparse ? 1 : 0;
      data.add(instance(weights[row], values, isSparse));
    }
    return data;
  }

  private static Instance instance(double weight, double[] values, boolean isSparse) {
    return isSparse ? new SparseInstance(weight, values) : new DenseInstance(weight, values);
  }

  /** Some of the instances, which share their cells: Weka copies these before it changes any. */
  public static Object chosen(Object instances, int[] rows) {
    Instances all = (Instances) instances;
    Instances some = new Instances(all, rows.length);
    for (int row : rows) {
      some.add(all.instance(row));
    }
    return some;
  }

  private static Attribute attribute(String name, int kind, List<String> values) {
    switch (kind) {
      case Exports.NUMERIC:
        return new Attribute(name);
      case Exports.NOMINAL:
        return new Attribute(name, values);
      case Exports.DATE:
        return SharedDateFormat.attribute(name, values.get(0));
      case Exports.STRING:
        Attribute text = new Attribute(name, (List<String>) null);
        for (String value : values) {
          text.addStringValue(value);
        }
        return text;
      default:
        throw new IllegalArgumentException("unknown kind of attribute " + kind);
    }
  }

  /** The reverse of {@link #instances}. */
  public static Object export(Object instances) {
    return Exports.instances((Instances) instances);
  }

  /** Reads with ArffLoader, which unlike DataSource does not swallow errors. */
  public static Object readArff(String path) throws Exception {
    ArffLoader loader = new ArffLoader();
    loader.setFile(new File(path));
    Instances data = loader.getDataSet();
    data.setClassIndex(-1);
    return export(data);
  }

  // ---- objects with options ----

  /**
   * A Weka object of the named class with its options set; synchronized, since Weka fills a map where options name
   * classes.
   */
  public static synchronized Object create(String className, String options) throws Exception {
    Object object = ParallelEnsembles.named(className);
    if (object == null) {
      object = Class.forName(className).getDeclaredConstructor().newInstance();
    }
    ((OptionHandler) object).setOptions(Utils.splitOptions(options));
    return object;
  }

  /** The parts of a text of options. */
  public static String[] splitOptions(String options) throws Exception {
    return Utils.splitOptions(options);
  }

  /** Synopsis and description of every option of a class, alternating. */
  public static String[] options(String className) throws Exception {
    List<String> texts = new ArrayList<>();
    OptionHandler handler = (OptionHandler) Class.forName(className).getDeclaredConstructor().newInstance();
    Enumeration<Option> options = handler.listOptions();
    while (options.hasMoreElements()) {
      Option option = options.nextElement();
      texts.add(option.synopsis());
      texts.add(option.description());
    }
    return texts.toArray(new String[0]);
  }

  /** Names of the concrete classes of a type in a package and below; synchronized, since Weka fills a cache. */
  public static synchronized String[] classes(String type, String packageName) throws Exception {
    List<String> names = new ArrayList<>();
    for (String name : ClassDiscovery.findPackages()) {
      if ((name + ".").startsWith(packageName + ".")) {
        names.addAll(ClassDiscovery.find(Class.forName(type), name));
      }
    }
    return names.toArray(new String[0]);
  }

  // ---- trees ----

  public static void build(Object classifier, Object instances) throws Exception {
    ((Classifier) classifier).buildClassifier((Instances) instances);
  }

  /** Something that is built in a thread of its own once its turn has come. */
  private static final class Building {
    private final CompletableFuture<Void> turn = new CompletableFuture<>();
    private final CompletableFuture<Void> end;

    Building(Object classifier, Object instances) {
      end = turn.thenRunAsync(() -> {
        try {
          build(classifier, instances);
        } catch (Exception failure) {
          throw new CompletionException(failure);
        }
      }, GROWERS);
    }

    void begin(Throwable failure) {
      if (failure == null) {
        turn.complete(null);
      } else {
        turn.completeExceptionally(failure);
      }
    }
  }

  /**
   * Begins to build in a thread of its own as soon as what was begun before, if anything, has been built; if that
   * failed, this fails as well, unless it has begun already. The result goes to {@link #waitUntilBuilt}.
   */
  public static Object beginToBuild(Object classifier, Object instances, Object before) {
    Building building = new Building(classifier, instances);
    if (before == null) {
      building.begin(null);
    } else {
      ((Building) before).end.whenComplete((nothing, failure) -> building.begin(failure));
    }
    return building;
  }

  /** Waits for the end of building, while which the next one, if any, is built too: 1, or 0 if it failed. */
  public static int[] waitUntilBuilt(Object building, Object next) throws InterruptedException {
    CompletableFuture<Void> end = ((Building) building).end;
    if (next != null && !end.isDone()) {
      ((Building) next).begin(null);
    }
    try {
      end.get();
      return new int[] {1};
    } catch (ExecutionException failure) {
      return new int[] {0};
    }
  }

  /** One tree, or all trees of an ensemble, concatenated, with their node counts. */
  public static Object mirror(Object classifier, Object instances) throws Exception {
    return Exports.trees((Classifier) classifier, (Instances) instances);
  }

  /** {class name, options} of a classifier; of anything else the class name alone. */
  public static String[] classifier(Object thing) {
    String name = thing.getClass().getName();
    if (!(thing instanceof Classifier)) {
      return new String[] {name};
    }
    String options = thing instanceof OptionHandler ? Utils.joinOptions(((OptionHandler) thing).getOptions()) : "";
    return new String[] {name, options};
  }

  /** Whether all trees of a classifier have been built: 1 or 0. */
  public static int[] isBuilt(Object classifier) {
    TreeFlattener.Member[] members = TreeFlattener.members((Classifier) classifier);
    boolean all = members != null;
    for (int m = 0; all && m < members.length; m++) {
      all = TreeFlattener.isBuilt(members[m]);
    }
    return new int[] {all ? 1 : 0};
  }

  /** The header, without instances, that a built classifier keeps, null if it keeps none. */
  public static Object header(Object classifier) {
    for (TreeFlattener.Member member : TreeFlattener.members((Classifier) classifier)) {
      Instances header = TreeFlattener.header(member);
      if (header != null) {
        return new Instances(header, 0);
      }
    }
    return null;
  }

  /** Writes an object as Weka writes its models. */
  public static void save(Object object, String path) throws Exception {
    SerializationHelper.write(path, object);
  }

  /**
   * The trees that a classifier grows on the training instances followed by one row of weight 1, for every row of cells
   * with every label as its class; the trees of a row are consecutive. Sparse rows are named in ascending order. The
   * result is as that of {@link #mirror}.
   */
  public static Object growLabelled(Object classifier, Object instances, double[] cells, int[] sparseRows, int[] labels,
      int maxThreads) throws Exception {
    Classifier untrained = (Classifier) classifier;
    Instances train = (Instances) instances;
    int width = train.numAttributes();
    int total = Math.multiplyExact(cells.length / width, labels.length);
    FlatTree[] trees = new FlatTree[total];
    Throwable[] failures = new Throwable[total];
    AtomicInteger next = new AtomicInteger();
    Runnable growing = () -> {
      for (int t = next.getAndIncrement(); t < total; t = next.getAndIncrement()) {
        try {
          int row = t / labels.length;
          double[] values = Arrays.copyOfRange(cells, row * width, (row + 1) * width);
          values[train.classIndex()] = labels[t % labels.length];
          Instance labelled = instance(1, values, Arrays.binarySearch(sparseRows, row) >= 0);
          trees[t] = grow(AbstractClassifier.makeCopy(untrained), train, labelled);
        } catch (Throwable failure) {
          failures[t] = failure;
          next.set(total);
        }
      }
    };
    int processors = Runtime.getRuntime().availableProcessors();
    Thread[] growers = new Thread[Math.min(Math.min(processors, maxThreads), total)];
    try {
      for (int g = 0; g < growers.length; g++) {
        growers[g] = grower(growing);
        growers[g].start();
      }
      for (Thread grower : growers) {
        grower.join();
      }
    } finally {
      next.set(total);
    }
    for (Throwable failure : failures) {
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      if (failure != null) {
        throw (Exception) failure;
      }
    }
    return Exports.concatenated(trees);
  }

  private static Thread grower(Runnable growing) {
    Thread thread = new Thread(null, growing, "wekaconf grower", STACK_SIZE);
    thread.setDaemon(true);
    return thread;
  }

  private static FlatTree grow(Classifier classifier, Instances train, Instance labelled) throws Exception {
    Instances data = new Instances(train, train.numInstances() + 1);
    data.addAll(train);
    data.add(labelled);
    classifier.buildClassifier(data);
    return TreeFlattener.flatten(TreeFlattener.members(classifier)[0], data);
  }

  /** distributionForInstance for every instance, rows concatenated. */
  public static double[] distributions(Object classifier, Object instances) throws Exception {
    Classifier model = (Classifier) classifier;
    Instances data = (Instances) instances;
    int wide = data.numClasses();
    double[] all = new double[data.numInstances() * wide];
    for (int row = 0; row < data.numInstances(); row++) {
      System.arraycopy(model.distributionForInstance(data.instance(row)), 0, all, row * wide, wide);
    }
    return all;
  }

  /** classifyInstance for every instance. */
  public static double[] classifications(Object classifier, Object instances) throws Exception {
    Classifier model = (Classifier) classifier;
    Instances data = (Instances) instances;
    double[] all = new double[data.numInstances()];
    for (int row = 0; row < all.length; row++) {
      all[row] = model.classifyInstance(data.instance(row));
    }
    return all;
  }

  // ---- folds ----

  /**
   * Weka's own folds in the order of crossValidateModel, including that of the training rows. Classes are indices, NaN
   * when missing.
   *
   * @return train and test, the row numbers of all folds concatenated, with the lengths of test
   */
  public static Object folds(double[] classes, int numClasses, int folds, int seed) {
    Instances data = rows(classes, numClasses);
    Random random = new Random(seed);
    data.randomize(random);
    if (numClasses > 0) {
      data.stratify(folds);
    }
    int n = classes.length;
    int[] train = new int[n * (folds - 1)];
    int[] test = new int[n];
    int[] testLengths = new int[folds];
    int trainNext = 0;
    int testNext = 0;
    for (int fold = 0; fold < folds; fold++) {
      Instances trainFold = data.trainCV(folds, fold, random);
      Instances testFold = data.testCV(folds, fold);
      testLengths[fold] = testFold.numInstances();
      for (int row = 0; row < trainFold.numInstances(); row++) {
        train[trainNext++] = (int) trainFold.instance(row).value(0);
      }
      for (int row = 0; row < testFold.numInstances(); row++) {
        test[testNext++] = (int) testFold.instance(row).value(0);
      }
    }
    Map<String, Object> result = new HashMap<>();
    result.put("train", train);
    result.put("test", test);
    result.put("test_lengths", testLengths);
    return result;
  }

  /** The order into which Weka's Instances.randomize brings n rows. */
  public static int[] shuffle(int n, int seed) {
    Instances data = rows(new double[n], 0);
    data.randomize(new Random(seed));
    int[] order = new int[n];
    for (int row = 0; row < n; row++) {
      order[row] = (int) data.instance(row).value(0);
    }
    return order;
  }

  private static Instances rows(double[] classes, int numClasses) {
    List<String> names = new ArrayList<>(numClasses);
    for (int c = 0; c < numClasses; c++) {
      names.add(String.valueOf(c));
    }
    ArrayList<Attribute> attributes = new ArrayList<>(2);
    attributes.add(new Attribute("row"));
    attributes.add(numClasses > 0 ? new Attribute("class", names) : new Attribute("class"));
    Instances data = new Instances("rows", attributes, classes.length);
    data.setClassIndex(1);
    for (int row = 0; row < classes.length; row++) {
      data.add(new DenseInstance(1, new double[] {row, classes[row]}));
    }
    return data;
  }

  // ---- filters ----

  /** Fits a new filter on the instances and returns the filtered instances. */
  public static Object fitFilter(Object filter, Object instances) throws Exception {
    Filter fresh = (Filter) filter;
    Instances data = (Instances) instances;
    fresh.setInputFormat(data);
    return Filter.useFilter(data, fresh);
  }

  /** Cut points of a fitted Discretize, concatenated, and their number per attribute, −1 if it is not cut. */
  public static Object cutPoints(Object filter, int numAttributes) {
    int[] counts = new int[numAttributes];
    List<double[]> cutsOfAttributes = new ArrayList<>();
    int total = 0;
    for (int a = 0; a < numAttributes; a++) {
      double[] cuts = filter instanceof weka.filters.supervised.attribute.Discretize
          ? ((weka.filters.supervised.attribute.Discretize) filter).getCutPoints(a)
          : ((weka.filters.unsupervised.attribute.Discretize) filter).getCutPoints(a);
      counts[a] = cuts == null ? -1 : cuts.length;
      if (cuts != null) {
        cutsOfAttributes.add(cuts);
        total += cuts.length;
      }
    }
    double[] all = new double[total];
    int next = 0;
    for (double[] cuts : cutsOfAttributes) {
      System.arraycopy(cuts, 0, all, next, cuts.length);
      next += cuts.length;
    }
    Map<String, Object> result = new HashMap<>();
    result.put("counts", counts);
    result.put("cuts", all);
    return result;
  }

  /** Filters further instances; the filter queues them inside, so only one thread at a time may use it. */
  public static Object applyFilter(Object filter, Object instances) throws Exception {
    synchronized (filter) {
      return Filter.useFilter((Instances) instances, (Filter) filter);
    }
  }
}
