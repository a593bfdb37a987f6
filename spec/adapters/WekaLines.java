import java.util.*;
import weka.classifiers.functions.SMO;
import weka.classifiers.functions.supportVector.*;
import weka.core.*;

/** Weka's SMO as a program for the audit, without its scaling: java -cp weka.jar:CLASSES WekaLines. */
class WekaLines extends Lines {
    public static void main(String[] words) { new WekaLines().serve(); }

    /** SMO that shows the decision of its one pair of classes. */
    @SuppressWarnings("serial")
    private static class Open extends SMO {
        double decision(Instance row) throws Exception {
            return m_classifiers[0][1].SVMOutput(-1, row);
        }
    }

    double[] decisions(Map<?, ?> asked, double[][] X, double[] y, double[] C, double[][] rows)
        throws Exception {
        Map<?, ?> kernel = (Map<?, ?>) asked.get("kernel");
        Open smo = new Open();
        smo.setFilterType(new SelectedTag(SMO.FILTER_NONE, SMO.TAGS_FILTER));
        smo.setC(penalty(asked, C));
        smo.setToleranceParameter(Json.number(asked, "tol", 1e-3));
        smo.setKernel(kernelOf(kernel));
        Instances data = header(X[0].length);
        for (int i = 0; i < X.length; i++) data.add(instance(data, X[i], y[i] > 0 ? 1 : 0));
        smo.buildClassifier(data);
        double[] said = new double[rows.length];
        for (int k = 0; k < rows.length; k++) said[k] = smo.decision(instance(data, rows[k], 0));
        return said;
    }

    private static Kernel kernelOf(Map<?, ?> kernel) {
        if (kernel.get("name").equals("linear")) return new PolyKernel();
        if (!kernel.get("name").equals("gaussian")) throw unsupported("the kernel");
        RBFKernel rbf = new RBFKernel();
        rbf.setGamma((Double) kernel.get("gamma"));
        return rbf;
    }

    private static Instances header(int width) {
        FastVector attributes = new FastVector(), labels = new FastVector();
        for (int j = 0; j < width; j++) attributes.addElement(new Attribute("x" + j));
        for (int y = -1; y < 2; y += 2) labels.addElement("" + y);
        attributes.addElement(new Attribute("y", labels));
        Instances data = new Instances("asked", attributes, 0);
        data.setClassIndex(width);
        return data;
    }

    private static Instance instance(Instances data, double[] row, int label) {
        double[] values = Arrays.copyOf(row, row.length + 1);
        values[row.length] = label;
        Instance instance = new Instance(1, values);
        instance.setDataset(data);
        return instance;
    }
}
