package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weka.classifiers.Classifier;
import weka.classifiers.meta.Bagging;
import weka.classifiers.trees.j48.BinC45Split;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierSplitModel;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.core.DenseInstance;
import weka.core.Instances;

/** Copies a finished tree of any mirrored learner as Weka stored it. */
public final class TreeFlattener {
  private TreeFlattener() {}

  /** The trees of a classifier, null if it is an ensemble that was not built. */
  public static Classifier[] members(Classifier classifier) {
    return classifier instanceof Bagging
        ? WekaFields.get(classifier, "m_Classifiers") : new Classifier[] {classifier};
  }

  /** The rules by which the answers are computed from the arrays. */
  private static String routing(Classifier classifier) {
    if (classifier instanceof J48) {
      return ((J48) classifier).getUseLaplace() ? "J48_LAPLACE" : "J48";
    }
    if (classifier instanceof REPTree) {
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
  public static boolean isBuilt(Classifier classifier) {
    if (classifier instanceof J48) {
      return WekaFields.get(classifier, "m_root") != null;
    }
    if (classifier instanceof REPTree || classifier instanceof RandomTree) {
      return WekaFields.get(classifier, "m_Tree") != null || WekaFields.get(classifier, "m_zeroR") != null;
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  /** The header that a built tree keeps, null if it keeps none. */
  public static Instances header(Classifier classifier) {
    if (classifier instanceof J48) {
      return WekaFields.get(WekaFields.get(classifier, "m_root"), "m_train");
    }
    if (classifier instanceof REPTree) {
      Object root = WekaFields.get(classifier, "m_Tree");
      return root == null ? null : WekaFields.get(root, "m_Info");
    }
    return WekaFields.get(classifier, "m_Info");
  }

  public static FlatTree flatten(Classifier classifier, Instances header) throws Exception {
    String routing = routing(classifier);
    FlatTree flat = arrays(classifier, header);
    flat.routing = routing;
    return flat;
  }

  private static FlatTree arrays(Classifier classifier, Instances header) throws Exception {
    if (classifier instanceof J48) {
      return c45(WekaFields.get(classifier, "m_root"), header);
    }
    Classifier fallback = WekaFields.get(classifier, "m_zeroR");
    if (fallback != null) {
      return zeroR(fallback, header);
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
