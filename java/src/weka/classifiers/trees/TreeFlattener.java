package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weka.classifiers.Classifier;
import weka.classifiers.SingleClassifierEnhancer;
import weka.classifiers.meta.AttributeSelectedClassifier;
import weka.classifiers.meta.Bagging;
import weka.classifiers.meta.CostSensitiveClassifier;
import weka.classifiers.meta.FilteredClassifier;
import weka.classifiers.meta.RandomCommittee;
import weka.classifiers.meta.RandomSubSpace;
import weka.classifiers.misc.InputMappedClassifier;
import weka.classifiers.trees.j48.BinC45Split;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierSplitModel;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.core.DenseInstance;
import weka.core.Instances;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Remove;

/** Copies a finished tree of any mirrored learner as Weka stored it. */
public final class TreeFlattener {
  private TreeFlattener() {}

  /** A tree inside a classifier, behind a choice of columns, if any. */
  public static final class Member {
    public final Classifier tree;

    /** For each column of the tree that of the data, and the headers before and after the choice; null: the same. */
    final int[] columns;
    final Instances whole;
    final Instances chosen;

    Member(Classifier tree, int[] columns, Instances whole, Instances chosen) {
      this.tree = tree;
      this.columns = columns;
      this.whole = whole;
      this.chosen = chosen;
    }

    /** The member behind a fitted filter that keeps some columns as they are. */
    private Member behind(Filter filter, Classifier inside) {
      if (filter == null) {
        return null;
      }
      if (!(filter instanceof Remove)) {
        throw new IllegalArgumentException("no mirror behind " + filter.getClass().getName());
      }
      Instances before = WekaFields.get(filter, "m_InputFormat");
      Instances after = WekaFields.get(filter, "m_OutputFormat");
      if (before == null || after == null) {
        return null;
      }
      int[] through = new int[after.numAttributes()];
      for (int column = 0; column < through.length; column++) {
        // by name, since a Remove that keeps all columns leaves their order, whatever its m_SelectedAttributes say
        int kept = before.attribute(after.attribute(column).name()).index();
        through[column] = columns == null ? kept : columns[kept];
      }
      return new Member(inside, through, whole == null ? before : whole, after);
    }

    private Member holding(Classifier inside) {
      return new Member(inside, columns, whole, chosen);
    }
  }

  /** The trees of a classifier, null if it was not built. */
  public static Member[] members(Classifier classifier) {
    List<Member> trees = new ArrayList<>();
    return collect(new Member(classifier, null, null, null), false, trees) ? trees.toArray(new Member[0]) : null;
  }

  /** Whether all trees of a member, which may be wrapped, were found; an ensemble inside another is no mirror. */
  private static boolean collect(Member member, boolean isOfEnsemble, List<Member> trees) {
    Classifier outer = member == null ? null : member.tree;
    if (outer instanceof AttributeSelectedClassifier) {
      Object selection = WekaFields.get(outer, "m_AttributeSelection");
      if (selection == null) {
        return false;
      }
      Object transformer = WekaFields.get(selection, "m_transformer");
      if (transformer != null) {
        throw new IllegalArgumentException("no mirror behind " + transformer.getClass().getName());
      }
      return collect(member.behind(WekaFields.get(selection, "m_attributeFilter"), inside(outer)), isOfEnsemble, trees);
    }
    if (outer instanceof FilteredClassifier && outer.getClass() == FilteredClassifier.class) {
      return collect(member.behind(((FilteredClassifier) outer).getFilter(), inside(outer)), isOfEnsemble, trees);
    }
    boolean reweighs = outer instanceof CostSensitiveClassifier
        && !((CostSensitiveClassifier) outer).getMinimizeExpectedCost();
    if (reweighs || outer instanceof InputMappedClassifier) {
      return collect(member.holding(inside(outer)), isOfEnsemble, trees);
    }
    boolean isEnsemble = outer instanceof Bagging || outer instanceof RandomCommittee || outer instanceof RandomSubSpace;
    if (!isEnsemble || isOfEnsemble) {
      return outer != null && trees.add(member);
    }
    Object fallback = outer instanceof RandomSubSpace ? WekaFields.get(outer, "m_ZeroR") : null;
    if (fallback != null) {
      throw new IllegalArgumentException("no mirror for " + fallback.getClass().getName());
    }
    Classifier[] all = WekaFields.get(outer, "m_Classifiers");
    boolean areBuilt = all != null;
    for (int m = 0; areBuilt && m < all.length; m++) {
      areBuilt = collect(member.holding(all[m]), true, trees);
    }
    return areBuilt;
  }

  private static Classifier inside(Classifier wrapper) {
    return ((SingleClassifierEnhancer) wrapper).getClassifier();
  }

  /** The rules by which the answers are computed from the arrays. */
  private static String routing(Classifier classifier) {
    if (classifier instanceof J48) {
      return ((J48) classifier).getUseLaplace() ? "J48_LAPLACE" : "J48";
    }
    if (classifier instanceof REPTree || classifier instanceof DecisionStump) {
      return "REPTREE";
    }
    if (classifier instanceof RandomTree) {
      if (WekaFields.get(classifier, "m_zeroR") != null) {
        return "REPTREE";
      }
      return ((RandomTree) classifier).getAllowUnclassifiedInstances() ? "RANDOMTREE_UNCLASSIFIED" : "RANDOMTREE";
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  /** Whether a tree has been built. */
  public static boolean isBuilt(Member member) {
    Classifier classifier = member.tree;
    if (classifier instanceof J48) {
      return WekaFields.get(classifier, "m_root") != null;
    }
    if (classifier instanceof REPTree || classifier instanceof RandomTree) {
      return WekaFields.get(classifier, "m_Tree") != null || WekaFields.get(classifier, "m_zeroR") != null;
    }
    if (classifier instanceof DecisionStump) {
      return WekaFields.get(classifier, "m_Distribution") != null || WekaFields.get(classifier, "m_ZeroR") != null;
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  /** The header of the data that a built tree, or what chooses its columns, keeps; null if there is none. */
  public static Instances header(Member member) {
    if (member.whole != null) {
      return member.whole;
    }
    Classifier classifier = member.tree;
    if (classifier instanceof J48) {
      return WekaFields.get(WekaFields.get(classifier, "m_root"), "m_train");
    }
    if (classifier instanceof REPTree) {
      Object root = WekaFields.get(classifier, "m_Tree");
      return root == null ? null : WekaFields.get(root, "m_Info");
    }
    return WekaFields.get(classifier, classifier instanceof DecisionStump ? "m_Instances" : "m_Info");
  }

  /** The tree of a member, with the columns of the data. */
  public static FlatTree flatten(Member member, Instances header) throws Exception {
    if (!isBuilt(member)) {
      throw new IllegalStateException("a tree was not grown, and Weka went on without it; leave -num-slots out to see why");
    }
    String routing = routing(member.tree);
    FlatTree flat = arrays(member.tree, member.chosen == null ? header : member.chosen);
    for (int node = 0; member.columns != null && node < flat.splitAttribute.length; node++) {
      if (flat.splitAttribute[node] >= 0) {
        flat.splitAttribute[node] = member.columns[flat.splitAttribute[node]];
      }
    }
    flat.routing = routing;
    return flat;
  }

  private static FlatTree arrays(Classifier classifier, Instances header) throws Exception {
    if (classifier instanceof J48) {
      return c45(WekaFields.get(classifier, "m_root"), header);
    }
    boolean isStump = classifier instanceof DecisionStump;
    Classifier fallback = WekaFields.get(classifier, isStump ? "m_ZeroR" : "m_zeroR");
    if (fallback != null) {
      return zeroR(fallback, header);
    }
    if (isStump) {
      return stump(classifier, header);
    }
    List<Object> nodes = breadthFirst(WekaFields.get(classifier, "m_Tree"));
    if (classifier instanceof REPTree) {
      FlatTree flat = flatten(nodes, "m_ClassProbs", header);
      addCounts(flat, nodes);
      return flat;
    }
    return flatten(nodes, "m_ClassDistribution", header);
  }

  private static FlatTree zeroR(Classifier fallback, Instances header) throws Exception {
    FlatTree flat = new FlatTree(1, header.numClasses());
    flat.total[0] = 1;
    flat.setClassWeight(0, fallback.distributionForInstance(new DenseInstance(header.numAttributes())));
    return flat;
  }

  /**
   * The two branches of a stump and, for missing values, a third: the second branch asks once more, so that known
   * values go on to its own second branch, and missing ones to its first.
   */
  private static FlatTree stump(Classifier stump, Instances header) {
    FlatTree flat = new FlatTree(5, header.numClasses());
    double[][] bags = WekaFields.get(stump, "m_Distribution");
    int attribute = WekaFields.getInt(stump, "m_AttIndex");
    double point = WekaFields.getDouble(stump, "m_SplitPoint");
    Arrays.fill(flat.total, 1);
    Arrays.fill(flat.branchClassWeight, Double.NaN);
    for (int node = 0; node < 3; node += 2) {
      if (header.attribute(attribute).isNominal()) {
        flat.setNominal(node, FlatTree.NOMINAL_EQUALS, attribute, (int) point);
      } else {
        flat.setNumeric(node, FlatTree.NUMERIC_LE, attribute, point);
      }
      flat.setChildren(node, node + 1, 2);
    }
    flat.branchWeight[2] = 1;
    flat.branchWeight[3] = 1;
    flat.setClassWeight(0, bags[2]);
    flat.setClassWeight(1, bags[0]);
    flat.setClassWeight(2, bags[1]);
    flat.setClassWeight(3, bags[2]);
    flat.setClassWeight(4, bags[1]);
    return flat;
  }

  private static void addCounts(FlatTree flat, List<Object> nodes) {
    flat.addCounts();
    int wide = flat.numClasses;
    for (int node = 0; node < nodes.size(); node++) {
      double[] grown = WekaFields.get(nodes.get(node), "m_Distribution");
      double[] heldOut = WekaFields.get(nodes.get(node), "m_HoldOutDist");
      System.arraycopy(grown, 0, flat.grownClassWeight, node * wide, wide);
      System.arraycopy(heldOut, 0, flat.heldOutClassWeight, node * wide, wide);
    }
  }

  private static List<Object> breadthFirst(Object root) {
    List<Object> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (WekaFields.getInt(nodes.get(node), "m_Attribute") > -1) {
        nodes.addAll(Arrays.asList(WekaFields.<Object[]>get(nodes.get(node), "m_Successors")));
      }
    }
    return nodes;
  }

  /** REPTree and RandomTree have the same fields in two unrelated types, but for the class weights. */
  private static FlatTree flatten(List<Object> nodes, String weights, Instances header) {
    FlatTree flat = new FlatTree(nodes.size(), header.numClasses());
    Arrays.fill(flat.total, 1);
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      Object tree = nodes.get(node);
      flat.setClassWeight(node, WekaFields.get(tree, weights));
      int attribute = WekaFields.getInt(tree, "m_Attribute");
      if (attribute > -1) {
        double[] shares = WekaFields.get(tree, "m_Prop");
        Object[] successors = WekaFields.get(tree, "m_Successors");
        double point = WekaFields.getDouble(tree, "m_SplitPoint");
        next = setSplit(flat, node, next, attribute, point, shares, successors.length, header);
      }
    }
    return flat;
  }

  private static int setSplit(FlatTree flat, int node, int next, int attribute, double point, double[] shares,
      int branches, Instances header) {
    if (header.attribute(attribute).isNominal()) {
      flat.setNominal(node, FlatTree.NOMINAL_EACH, attribute, -1);
    } else {
      flat.setNumeric(node, FlatTree.NUMERIC_LT, attribute, point);
    }
    flat.setChildren(node, next, branches);
    for (int branch = 0; branch < branches; branch++) {
      flat.branchWeight[next + branch] = shares[branch];
      Arrays.fill(flat.branchClassWeight, (next + branch) * flat.numClasses,
          (next + branch + 1) * flat.numClasses, Double.NaN);
    }
    return next + branches;
  }

  private static FlatTree c45(ClassifierTree root, Instances header) {
    List<ClassifierTree> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (!WekaFields.getBoolean(nodes.get(node), "m_isLeaf")) {
        nodes.addAll(Arrays.asList(WekaFields.<ClassifierTree[]>get(nodes.get(node), "m_sons")));
      }
    }
    int numClasses = header.numClasses();
    FlatTree flat = new FlatTree(nodes.size(), numClasses);
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      ClassifierTree tree = nodes.get(node);
      ClassifierSplitModel model = WekaFields.get(tree, "m_localModel");
      Distribution weights = model.distribution();
      flat.isEmpty[node] = WekaFields.getBoolean(tree, "m_isEmpty") ? 1 : 0;
      flat.total[node] = weights.total();
      for (int c = 0; c < numClasses; c++) {
        flat.classWeight[node * numClasses + c] = weights.perClass(c);
      }
      if (WekaFields.getBoolean(tree, "m_isLeaf")) {
        continue;
      }
      setC45Split(flat, node, model, header);
      int branches = WekaFields.<ClassifierTree[]>get(tree, "m_sons").length;
      flat.setChildren(node, next, branches);
      for (int branch = 0; branch < branches; branch++, next++) {
        flat.branchWeight[next] = weights.perBag(branch);
        for (int c = 0; c < numClasses; c++) {
          flat.branchClassWeight[next * numClasses + c] = weights.perClassPerBag(branch, c);
        }
      }
    }
    return flat;
  }

  private static void setC45Split(FlatTree flat, int node, ClassifierSplitModel model, Instances header) {
    if (model instanceof C45Split) {
      C45Split split = (C45Split) model;
      if (header.attribute(split.attIndex()).isNominal()) {
        flat.setNominal(node, FlatTree.NOMINAL_EACH, split.attIndex(), -1);
      } else {
        flat.setNumeric(node, FlatTree.NUMERIC_LE, split.attIndex(), split.splitPoint());
      }
    } else if (model instanceof BinC45Split) {
      BinC45Split split = (BinC45Split) model;
      if (header.attribute(split.attIndex()).isNominal()) {
        flat.setNominal(node, FlatTree.NOMINAL_EQUALS, split.attIndex(), (int) split.splitPoint());
      } else {
        flat.setNumeric(node, FlatTree.NUMERIC_LE, split.attIndex(), split.splitPoint());
      }
    } else {
      throw new IllegalStateException("unknown split model " + model.getClass().getName());
    }
  }
}
