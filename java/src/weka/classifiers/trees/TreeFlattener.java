package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import weka.classifiers.Classifier;
import weka.classifiers.trees.j48.J48Flattener;
import weka.core.DenseInstance;
import weka.core.Instances;

/** Copies a finished tree of any mirrored learner; in Weka's package, since the trees' fields are protected. */
public final class TreeFlattener {
  private TreeFlattener() {}

  /** The rules by which the answers are computed from the arrays. */
  private static String routing(Classifier classifier) {
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

  /** Whether a tree has been built. */
  public static boolean isBuilt(Classifier classifier) {
    if (classifier instanceof J48) {
      return ((J48) classifier).m_root != null;
    }
    if (classifier instanceof REPTree) {
      return ((REPTree) classifier).m_Tree != null || ((REPTree) classifier).m_zeroR != null;
    }
    if (classifier instanceof RandomTree) {
      return ((RandomTree) classifier).m_Tree != null || ((RandomTree) classifier).m_zeroR != null;
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  /** The header that a built tree keeps, null if it keeps none. */
  public static Instances header(Classifier classifier) {
    if (classifier instanceof J48) {
      return J48Flattener.header(((J48) classifier).m_root);
    }
    if (classifier instanceof REPTree) {
      return ((REPTree) classifier).m_Tree == null ? null : ((REPTree) classifier).m_Tree.m_Info;
    }
    return ((RandomTree) classifier).m_Info;
  }

  public static FlatTree flatten(Classifier classifier, Instances header) throws Exception {
    FlatTree flat = arrays(classifier, header);
    flat.routing = routing(classifier);
    return flat;
  }

  private static FlatTree arrays(Classifier classifier, Instances header) throws Exception {
    if (classifier instanceof J48) {
      return J48Flattener.flatten(((J48) classifier).m_root, header);
    }
    if (classifier instanceof REPTree) {
      REPTree tree = (REPTree) classifier;
      return tree.m_zeroR != null ? zeroR(tree.m_zeroR, header) : withCounts(tree.m_Tree, header);
    }
    if (classifier instanceof RandomTree) {
      RandomTree tree = (RandomTree) classifier;
      return tree.m_zeroR != null ? zeroR(tree.m_zeroR, header)
          : flatten(breadthFirst(tree.m_Tree, node -> node.m_Attribute, node -> node.m_Successors),
              node -> node.m_Attribute, node -> node.m_SplitPoint, node -> node.m_Prop, node -> node.m_Successors,
              node -> node.m_ClassDistribution, header);
    }
    throw new IllegalArgumentException("no mirror for " + classifier.getClass().getName());
  }

  private static FlatTree zeroR(Classifier fallback, Instances header) throws Exception {
    FlatTree flat = new FlatTree(1, header.numClasses());
    flat.total[0] = 1;
    flat.setClassWeight(0, fallback.distributionForInstance(new DenseInstance(header.numAttributes())));
    return flat;
  }

  private static FlatTree withCounts(REPTree.Tree root, Instances header) {
    List<REPTree.Tree> nodes = breadthFirst(root, node -> node.m_Attribute, node -> node.m_Successors);
    FlatTree flat = flatten(nodes, node -> node.m_Attribute, node -> node.m_SplitPoint, node -> node.m_Prop,
        node -> node.m_Successors, node -> node.m_ClassProbs, header);
    flat.addCounts();
    int wide = flat.numClasses;
    for (int node = 0; node < nodes.size(); node++) {
      System.arraycopy(nodes.get(node).m_Distribution, 0, flat.grownClassWeight, node * wide, wide);
      System.arraycopy(nodes.get(node).m_HoldOutDist, 0, flat.heldOutClassWeight, node * wide, wide);
    }
    return flat;
  }

  private static <T> List<T> breadthFirst(T root, ToIntFunction<T> attribute, Function<T, T[]> successors) {
    List<T> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (attribute.applyAsInt(nodes.get(node)) > -1) {
        nodes.addAll(Arrays.asList(successors.apply(nodes.get(node))));
      }
    }
    return nodes;
  }

  /** REPTree and RandomTree have the same fields in two unrelated types. */
  private static <T> FlatTree flatten(List<T> nodes, ToIntFunction<T> attribute, ToDoubleFunction<T> point,
      Function<T, double[]> shares, Function<T, T[]> successors, Function<T, double[]> weights, Instances header) {
    FlatTree flat = new FlatTree(nodes.size(), header.numClasses());
    Arrays.fill(flat.total, 1);
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      T tree = nodes.get(node);
      flat.setClassWeight(node, weights.apply(tree));
      if (attribute.applyAsInt(tree) > -1) {
        next = setSplit(flat, node, next, attribute.applyAsInt(tree), point.applyAsDouble(tree), shares.apply(tree),
            successors.apply(tree).length, header);
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
}
