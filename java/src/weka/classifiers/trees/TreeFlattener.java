package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weka.classifiers.Classifier;
import weka.classifiers.trees.j48.J48Flattener;
import weka.core.DenseInstance;
import weka.core.Instances;

/** Copies a finished tree of any mirrored learner; lives in Weka's package to see its protected fields. */
public final class TreeFlattener {
  private TreeFlattener() {}

  /** How the answers are computed from the arrays: the name of a member of Python's Routing. */
  public static String routing(Classifier classifier) {
    if (classifier instanceof J48) {
      return ((J48) classifier).getUseLaplace() ? "J48_LAPLACE" : "J48";
    }
    if (classifier instanceof REPTree) {
      return "REPTREE";
    }
    if (classifier instanceof RandomTree) {
      RandomTree tree = (RandomTree) classifier;
      if (tree.m_zeroR != null) {
        return "REPTREE";
      }
      return tree.getAllowUnclassifiedInstances() ? "RANDOMTREE_UNCLASSIFIED" : "RANDOMTREE";
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  public static FlatTree flatten(Classifier classifier, Instances header) throws Exception {
    if (classifier instanceof J48) {
      return J48Flattener.flatten(((J48) classifier).m_root, header);
    }
    if (classifier instanceof REPTree) {
      REPTree tree = (REPTree) classifier;
      return tree.m_zeroR != null ? zeroR(tree.m_zeroR, header) : flatten(tree.m_Tree, header);
    }
    if (classifier instanceof RandomTree) {
      RandomTree tree = (RandomTree) classifier;
      return tree.m_zeroR != null ? zeroR(tree.m_zeroR, header) : flatten(tree.m_Tree, header);
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  private static FlatTree zeroR(Classifier fallback, Instances header) throws Exception {
    FlatTree flat = new FlatTree(1, header.numClasses());
    flat.total[0] = 1;
    flat.setClassWeight(0, fallback.distributionForInstance(new DenseInstance(header.numAttributes())));
    return flat;
  }

  private static FlatTree flatten(REPTree.Tree root, Instances header) {
    List<REPTree.Tree> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).m_Attribute > -1) {
        nodes.addAll(Arrays.asList(nodes.get(node).m_Successors));
      }
    }
    FlatTree flat = new FlatTree(nodes.size(), header.numClasses());
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      REPTree.Tree tree = nodes.get(node);
      flat.setClassWeight(node, tree.m_ClassProbs);
      if (tree.m_Attribute > -1) {
        next = setSplit(flat, node, next, tree.m_Attribute, tree.m_SplitPoint, tree.m_Prop,
            tree.m_Successors.length, header);
      } else {
        flat.total[node] = 1;
      }
    }
    return flat;
  }

  private static FlatTree flatten(RandomTree.Tree root, Instances header) {
    List<RandomTree.Tree> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).m_Attribute > -1) {
        nodes.addAll(Arrays.asList(nodes.get(node).m_Successors));
      }
    }
    FlatTree flat = new FlatTree(nodes.size(), header.numClasses());
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      RandomTree.Tree tree = nodes.get(node);
      flat.setClassWeight(node, tree.m_ClassDistribution);
      if (tree.m_Attribute > -1) {
        next = setSplit(flat, node, next, tree.m_Attribute, tree.m_SplitPoint, tree.m_Prop,
            tree.m_Successors.length, header);
      } else {
        flat.total[node] = 1;
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
    flat.total[node] = 1;
    flat.setChildren(node, next, branches);
    for (int branch = 0; branch < branches; branch++) {
      flat.branchWeight[next + branch] = shares[branch];
      Arrays.fill(flat.branchClassWeight, (next + branch) * flat.numClasses,
          (next + branch + 1) * flat.numClasses, Double.NaN);
    }
    return next + branches;
  }
}
