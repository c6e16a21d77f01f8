package weka.classifiers.trees.j48;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weka.classifiers.trees.FlatTree;
import weka.core.Instances;

/** Copies a finished J48 tree as Weka stored it; in Weka's package, since the tree's fields are protected. */
public final class J48Flattener {
  private J48Flattener() {}

  /** The header that a tree keeps. */
  public static Instances header(ClassifierTree root) {
    return root.m_train;
  }

  public static FlatTree flatten(ClassifierTree root, Instances header) {
    List<ClassifierTree> nodes = new ArrayList<>();
    nodes.add(root);
    for (int node = 0; node < nodes.size(); node++) {
      if (!nodes.get(node).m_isLeaf) {
        nodes.addAll(Arrays.asList(nodes.get(node).m_sons));
      }
    }
    int numClasses = header.numClasses();
    FlatTree flat = new FlatTree(nodes.size(), numClasses);
    int next = 1;
    for (int node = 0; node < nodes.size(); node++) {
      ClassifierTree tree = nodes.get(node);
      Distribution weights = tree.m_localModel.distribution();
      flat.isEmpty[node] = tree.m_isEmpty ? 1 : 0;
      flat.total[node] = weights.total();
      for (int c = 0; c < numClasses; c++) {
        flat.classWeight[node * numClasses + c] = weights.perClass(c);
      }
      if (tree.m_isLeaf) {
        continue;
      }
      setSplit(flat, node, tree.m_localModel, header);
      flat.setChildren(node, next, tree.m_sons.length);
      for (int branch = 0; branch < tree.m_sons.length; branch++, next++) {
        flat.branchWeight[next] = weights.perBag(branch);
        for (int c = 0; c < numClasses; c++) {
          flat.branchClassWeight[next * numClasses + c] = weights.perClassPerBag(branch, c);
        }
      }
    }
    return flat;
  }

  private static void setSplit(FlatTree flat, int node, ClassifierSplitModel model, Instances header) {
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
