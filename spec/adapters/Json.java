import java.util.*;
import java.util.regex.*;

/** A value of JSON as Map, List, Double, Boolean or String; the words inf, -inf, nan as Double. */
final class Json {
    private static final Pattern TOKEN = Pattern.compile(
        "\"(\\\\.|[^\"\\\\])*\"|[\\[\\]{}:,]|[^\\[\\]{}:,\"\\s]+");
    private static final Map<String, Object> WORDS = Map.of("true", true, "false", false,
        "\"inf\"", 1 / 0.0, "\"-inf\"", -1 / 0.0, "\"nan\"", Double.NaN);

    static Object read(String text) {
        Matcher tokens = TOKEN.matcher(text);
        tokens.find();
        return value(tokens);
    }

    private static Object value(Matcher at) {  // of the token found last; the next ones are read
        String word = at.group();
        if (WORDS.containsKey(word)) return WORDS.get(word);
        if (word.startsWith("\"")) return word.substring(1, word.length() - 1);
        if (!word.equals("[") && !word.equals("{")) return Double.valueOf(word);
        List<Object> items = new ArrayList<>();
        Map<Object, Object> keys = new HashMap<>();
        while (at.find() && !at.group().matches("[\\]}]")) {
            if (at.group().equals(",")) at.find();
            Object item = value(at);
            items.add(item);
            if (word.equals("{") && at.find() && at.find()) keys.put(item, value(at));
        }
        return word.equals("[") ? items : keys;
    }

    static double[] numbers(Object list) {
        return ((List<?>) list).stream().mapToDouble(v -> (Double) v).toArray();
    }

    static double[][] table(Object rows) {
        return ((List<?>) rows).stream().map(Json::numbers).toArray(double[][]::new);
    }

    static double number(Map<?, ?> from, String key, double otherwise) {
        return from.get(key) == null ? otherwise : (Double) from.get(key);
    }
}
