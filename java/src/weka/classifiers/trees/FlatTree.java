package weka.classifiers.trees;

/** A tree as flat arrays, nodes numbered breadth-first; the fields are those of Python's TreeMirror. */
public final class FlatTree {
  public static final int LEAF = 0;
  public static final int NUMERIC_LE = 1;
  public static final int NUMERIC_LT = 2;
  public static final int NOMINAL_EACH = 3;
  public static final int NOMINAL_EQUALS = 4;

  /** Name of a member of Python's Routing; null in the arrays of several trees. */
  public String routing;

  public final int numClasses;
  public final int[] parent;
  public final int[] firstChild;
  public final int[] numBranches;
  public final int[] splitKind;
  public final int[] splitAttribute;
  public final double[] splitPoint;
  public final int[] splitValue;
  public final double[] classWeight;
  public final double[] total;
  public final double[] branchWeight;
  public final double[] branchClassWeight;
  public final int[] isEmpty;

  /** REPTree: class weights of the instances a node was grown on, and of those held out for pruning; else empty. */
  public double[] grownClassWeight = new double[0];
  public double[] heldOutClassWeight = new double[0];

  public FlatTree(int numNodes, int numClasses) {
    this.numClasses = numClasses;
    parent = new int[numNodes];
    firstChild = new int[numNodes];
    numBranches = new int[numNodes];
    splitKind = new int[numNodes];
    splitAttribute = new int[numNodes];
    splitPoint = new double[numNodes];
    splitValue = new int[numNodes];
    classWeight = new double[numNodes * numClasses];
    total = new double[numNodes];
    branchWeight = new double[numNodes];
    branchClassWeight = new double[numNodes * numClasses];
    isEmpty = new int[numNodes];
    for (int node = 0; node < numNodes; node++) {
      firstChild[node] = -1;
      splitAttribute[node] = -1;
      splitPoint[node] = Double.NaN;
      splitValue[node] = -1;
    }
    parent[0] = -1;
    branchWeight[0] = Double.NaN;
    java.util.Arrays.fill(branchClassWeight, 0, numClasses, Double.NaN);
  }

  public void addCounts() {
    grownClassWeight = new double[classWeight.length];
    heldOutClassWeight = new double[classWeight.length];
  }

  public void setNumeric(int node, int kind, int attribute, double point) {
    splitKind[node] = kind;
    splitAttribute[node] = attribute;
    splitPoint[node] = point;
  }

  public void setNominal(int node, int kind, int attribute, int value) {
    splitKind[node] = kind;
    splitAttribute[node] = attribute;
    splitValue[node] = value;
  }

  public void setChildren(int node, int first, int count) {
    firstChild[node] = first;
    numBranches[node] = count;
    for (int child = first; child < first + count; child++) {
      parent[child] = node;
    }
  }

  /** A null vector marks the node as having no class weights of its own. */
  public void setClassWeight(int node, double[] weights) {
    if (weights == null) {
      isEmpty[node] = 1;
    } else {
      System.arraycopy(weights, 0, classWeight, node * numClasses, numClasses);
    }
  }
}
