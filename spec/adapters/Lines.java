import java.io.*;
import java.util.*;
import java.util.stream.*;

/** The lines of the audit for a program in Java: a subclass says how it trains and decides. */
abstract class Lines {
    /** The decisions about the rows; UnsupportedOperationException: that sort is not on offer. */
    abstract double[] decisions(
        Map<?, ?> asked, double[][] X, double[] y, double[] C, double[][] rows) throws Exception;

    void serve() {
        PrintStream out = System.out;
        System.setOut(System.err);  // a library's own words are no answers
        new BufferedReader(new InputStreamReader(System.in)).lines().forEach(line -> {
            out.println(answer((Map<?, ?>) Json.read(line)));
            out.flush();
        });
    }

    private String answer(Map<?, ?> asked) {
        try {
            double[][] X = Json.table(asked.get("X"));
            double[] y = Json.numbers(asked.get("y")), C = Json.numbers(asked.get("C"));
            if (X.length != y.length || C.length != y.length) throw unsupported("lengths that differ");
            if (Stream.of(X).mapToInt(x -> x.length).distinct().count() > 1) throw unsupported("ragged rows");
            double[] said = decisions(asked, X, y, C, Json.table(asked.get("rows")));
            String words = Arrays.toString(said).replace("NaN", "\"nan\"");
            return "{\"decisions\": " + words.replaceAll("(-?)Infinity", "\"$1inf\"") + "}";
        } catch (UnsupportedOperationException why) {
            return "{\"unsupported\": \"" + why.getMessage() + "\"}";
        } catch (Exception why) {
            return "{\"refused\": \"" + why.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"}";
        }
    }

    /** The C of all examples, where an offset, hinge slacks and one finite C are asked for. */
    static double penalty(Map<?, ?> asked, double[] C) {
        if (Boolean.FALSE.equals(asked.get("bias"))) throw unsupported("no offset");
        if (!List.of("hinge", "null").contains("" + asked.get("slack"))) throw unsupported("other slacks");
        if (DoubleStream.of(C).distinct().count() > 1) throw unsupported("several penalties");
        if (C.length > 0 && Double.isInfinite(C[0])) throw unsupported("hard margins");
        return C.length > 0 ? C[0] : 1;
    }

    static UnsupportedOperationException unsupported(String words) {
        return new UnsupportedOperationException(words);
    }
}
