package weka.classifiers.trees;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import weka.classifiers.Classifier;
import weka.core.Attribute;
import weka.core.Instances;
import weka.core.SparseInstance;

/** Weka's objects as named arrays of numbers and texts, as Python reads them. */
public final class Exports {
  public static final int NUMERIC = 0;
  public static final int NOMINAL = 1;
  public static final int DATE = 2;
  public static final int STRING = 3;

  private Exports() {}

  /**
   * Header, cells, weights and the rows of sparse instances. Values and date formats are concatenated, counted by
   * value_counts.
   */
  public static Map<String, Object> instances(Instances data) {
    int width = data.numAttributes();
    String[] names = new String[width];
    int[] kinds = new int[width];
    int[] valueCounts = new int[width];
    List<String> values = new ArrayList<>();
    for (int a = 0; a < width; a++) {
      Attribute attribute = data.attribute(a);
      names[a] = attribute.name();
      if (attribute.weight() != 1) {
        throw new IllegalArgumentException(
            "attribute '" + names[a] + "' has the weight " + attribute.weight()
                + ", and attribute weights are not supported; set it to 1");
      }
      int before = values.size();
      if (attribute.isDate()) {
        kinds[a] = DATE;
        values.add(attribute.getDateFormat());
      } else if (attribute.isNominal() || attribute.isString()) {
        kinds[a] = attribute.isNominal() ? NOMINAL : STRING;
        for (int v = 0; v < attribute.numValues(); v++) {
          values.add(attribute.value(v));
        }
      } else if (attribute.isNumeric()) {
        kinds[a] = NUMERIC;
      } else {
        throw new IllegalArgumentException("attribute '" + names[a] + "' is relational");
      }
      valueCounts[a] = values.size() - before;
    }
    double[] weights = new double[data.numInstances()];
    for (int row = 0; row < weights.length; row++) {
      weights[row] = data.instance(row).weight();
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("relation", new String[] {data.relationName()});
    result.put("class_index", new int[] {data.classIndex()});
    result.put("names", names);
    result.put("kinds", kinds);
    result.put("value_counts", valueCounts);
    result.put("values", values.toArray(new String[0]));
    result.put("cells", cells(data));
    result.put("weights", weights);
    result.put("sparse_rows", sparseRows(data));
    return result;
  }

  /** The cells of all instances, rows concatenated. */
  public static double[] cells(Instances data) {
    int width = data.numAttributes();
    long size = (long) data.numInstances() * width;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the " + size + " cells of these data are more than one Java array holds; use fewer instances");
    }
    double[] cells = new double[(int) size];
    for (int row = 0; row < data.numInstances(); row++) {
      System.arraycopy(data.instance(row).toDoubleArray(), 0, cells, row * width, width);
    }
    return cells;
  }

  /** The rows of the sparse instances, ascending. */
  static int[] sparseRows(Instances data) {
    IntStream rows = IntStream.range(0, data.numInstances());
    return rows.filter(row -> data.instance(row) instanceof SparseInstance).toArray();
  }

  /** One tree, or all trees of an ensemble, concatenated, with their node counts. */
  public static Map<String, Object> trees(Classifier classifier, Instances header) throws Exception {
    TreeFlattener.Member[] members = TreeFlattener.members(classifier);
    FlatTree[] trees = new FlatTree[members.length];
    for (int m = 0; m < members.length; m++) {
      trees[m] = TreeFlattener.flatten(members[m], header);
    }
    return concatenated(trees);
  }

  /** The trees, at least one, concatenated, with their node counts. */
  public static Map<String, Object> concatenated(FlatTree[] trees) {
    String[] routing = new String[trees.length];
    int[] counts = new int[trees.length];
    long total = 0;
    for (int t = 0; t < trees.length; t++) {
      routing[t] = trees[t].routing;
      counts[t] = trees[t].parent.length;
      total += counts[t];
    }
    int wide = trees[0].numClasses;
    if (total * wide > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("the class weights of " + total + " nodes of " + trees.length
          + " trees are more than one Java array holds; grow fewer trees at a time");
    }
    FlatTree all = trees.length == 1 ? trees[0] : new FlatTree((int) total, wide);
    if (trees.length > 1) {
      if (trees[0].grownClassWeight.length > 0) {
        all.addCounts();
      }
      int offset = 0;
      for (FlatTree tree : trees) {
        copy(tree, all, offset);
        offset += tree.parent.length;
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("routing", routing);
    result.put("node_counts", counts);
    result.put("parent", all.parent);
    result.put("first_child", all.firstChild);
    result.put("n_branches", all.numBranches);
    result.put("split_kind", all.splitKind);
    result.put("split_attribute", all.splitAttribute);
    result.put("split_point", all.splitPoint);
    result.put("split_value", all.splitValue);
    result.put("class_weight", all.classWeight);
    result.put("total", all.total);
    result.put("branch_weight", all.branchWeight);
    result.put("branch_class_weight", all.branchClassWeight);
    result.put("is_empty", all.isEmpty);
    result.put("grown_class_weight", all.grownClassWeight);
    result.put("held_out_class_weight", all.heldOutClassWeight);
    return result;
  }

  private static void copy(FlatTree from, FlatTree to, int offset) {
    int n = from.parent.length;
    int wide = from.numClasses;
    System.arraycopy(from.parent, 0, to.parent, offset, n);
    System.arraycopy(from.firstChild, 0, to.firstChild, offset, n);
    System.arraycopy(from.numBranches, 0, to.numBranches, offset, n);
    System.arraycopy(from.splitKind, 0, to.splitKind, offset, n);
    System.arraycopy(from.splitAttribute, 0, to.splitAttribute, offset, n);
    System.arraycopy(from.splitPoint, 0, to.splitPoint, offset, n);
    System.arraycopy(from.splitValue, 0, to.splitValue, offset, n);
    System.arraycopy(from.classWeight, 0, to.classWeight, offset * wide, n * wide);
    System.arraycopy(from.total, 0, to.total, offset, n);
    System.arraycopy(from.branchWeight, 0, to.branchWeight, offset, n);
    System.arraycopy(from.branchClassWeight, 0, to.branchClassWeight, offset * wide, n * wide);
    System.arraycopy(from.isEmpty, 0, to.isEmpty, offset, n);
    if (from.grownClassWeight.length > 0) {
      System.arraycopy(from.grownClassWeight, 0, to.grownClassWeight, offset * wide, n * wide);
      System.arraycopy(from.heldOutClassWeight, 0, to.heldOutClassWeight, offset * wide, n * wide);
    }
  }
}
