package weka.classifiers;

/** Hands out the members of Bagging and RandomForest; lives in Weka's package to see its protected field. */
public final class EnsembleMembers {
  private EnsembleMembers() {}

  public static Classifier[] of(IteratedSingleClassifierEnhancer ensemble) {
    return ensemble.m_Classifiers;
  }
}
