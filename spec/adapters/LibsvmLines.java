import java.util.*;
import libsvm.*;

/** LIBSVM for Java as a program for the audit: java -cp libsvm.jar:CLASSES LibsvmLines. */
class LibsvmLines extends Lines {
    private static final List<String> KERNELS =
        List.of("linear", "polynomial", "gaussian", "sigmoid", "precomputed");

    public static void main(String[] words) {
        svm.svm_set_print_string_function(text -> {});
        new LibsvmLines().serve();
    }

    double[] decisions(Map<?, ?> asked, double[][] X, double[] y, double[] C, double[][] rows) {
        Map<?, ?> kernel = (Map<?, ?>) asked.get("kernel");
        svm_parameter p = new svm_parameter();
        p.kernel_type = KERNELS.indexOf(kernel.get("name"));
        if (p.kernel_type < 0) throw unsupported("the kernel");
        p.C = penalty(asked, C);
        p.eps = Json.number(asked, "tol", 1e-3);
        p.degree = (int) Json.number(kernel, "degree", 3);
        p.gamma = Json.number(kernel, "gamma", 1);
        p.coef0 = Json.number(kernel, "coef0", 0);
        p.cache_size = 100;
        p.shrinking = 1;
        svm_problem problem = new svm_problem();
        problem.l = y.length;
        problem.y = y;
        problem.x = new svm_node[X.length][];
        for (int i = 0; i < X.length; i++) problem.x[i] = nodes(X[i], p.kernel_type, i + 1);
        String wrong = svm.svm_check_parameter(problem, p);
        if (wrong != null) throw new IllegalArgumentException(wrong);
        svm_model model = svm.svm_train(problem, p);
        int[] labels = new int[2];
        svm.svm_get_labels(model, labels);
        double[] said = new double[rows.length], value = new double[1];
        for (int k = 0; k < rows.length; k++) {
            svm.svm_predict_values(model, nodes(rows[k], p.kernel_type, 1), value);
            said[k] = labels[0] * value[0];  // the label whose side is positive
        }
        return said;
    }

    /** Features count from 1; in front of a row of kernel values is the number of its example. */
    private static svm_node[] nodes(double[] row, int kernel, int number) {
        int start = kernel == svm_parameter.PRECOMPUTED ? 1 : 0;
        svm_node[] nodes = new svm_node[row.length + start];
        for (int j = 0; j < nodes.length; j++) {
            nodes[j] = new svm_node();
            nodes[j].index = j + 1 - start;
            nodes[j].value = j < start ? number : row[j - start];
        }
        return nodes;
    }
}
