package weka.classifiers;

/** Gives access to the members of Bagging and RandomForest; in Weka's package, since their field is protected. */
public final class EnsembleMembers {
  private EnsembleMembers() {}

  public static Classifier[] of(IteratedSingleClassifierEnhancer ensemble) {
    return ensemble.m_Classifiers;
  }
}
