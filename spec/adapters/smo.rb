# SMO on doubles, with second-order pairs, as a program for the audit: a machine of one's own.
#
#     python3 -m refsvm audit "ruby spec/adapters/smo.rb"
require "json"

class Unsupported < StandardError; end

def kernel(asked)
  gamma, coef0, degree = asked.values_at("gamma", "coef0", "degree")
  raise ArgumentError, "a parameter of the kernel" unless
    [gamma, coef0, degree].compact.all?(Numeric) && [gamma || 1, (degree || 0) + 1].min > 0
  inner = ->(x, z) { x.zip(z).sum { |p, q| p * q } }
  case asked["name"]
  when "linear" then inner
  when "polynomial" then ->(x, z) { (gamma * inner.(x, z) + coef0)**degree }
  when "gaussian" then ->(x, z) { Math.exp(-gamma * x.zip(z).sum { |p, q| (p - q)**2 }) }
  when "sigmoid" then ->(x, z) { Math.tanh(gamma * inner.(x, z) + coef0) }
  else raise Unsupported, "kernel"
  end
end

def check(asked)
  x, y, most = asked.values_at("X", "y", "C")
  raise Unsupported, "another problem" if asked["bias"] == false || (asked["slack"] || "hinge") != "hinge"
  raise Unsupported, "hard margins" if most.include?("inf")
  raise ArgumentError, "labels -1 and 1 are needed" unless (y - [-1, 1]).empty? && y.uniq.size == 2
  raise ArgumentError, "C must be positive" unless most.all? { |c| c.is_a?(Numeric) && c > 0 }
  raise ArgumentError, "rows of numbers, all of one length, with a label and a C each" unless
    [x, y, most].map(&:size).uniq.size == 1 && x.map(&:size).uniq.size == 1 && x.flatten.all?(Numeric) && x[0].any?
end

def train(k, y, most, tol)
  alpha, s, all = [0.0] * y.size, [0.0] * y.size, (0...y.size)
  loop do
    up, low = [1, -1].map { |side| all.select { |i| y[i] == side ? alpha[i] < most[i] : alpha[i] > 0 } }
    e = ->(i) { y[i] - s[i] }
    i, last = up.max_by(&e), low.min_by(&e)
    return alpha.zip(y).map { |a, label| a * label }, (e.(i) + e.(last)) / 2 if e.(i) - e.(last) < tol
    curve = ->(j) { [k[i][i] + k[j][j] - 2 * k[i][j], 1e-300].max }
    j = low.select { |t| e.(t) < e.(i) }.max_by { |t| (e.(i) - e.(t))**2 / curve.(t) }
    rooms = [y[i] > 0 ? most[i] - alpha[i] : alpha[i], y[j] > 0 ? alpha[j] : most[j] - alpha[j]]
    step = [(e.(i) - e.(j)) / curve.(j), *rooms].min
    alpha[i] += y[i] * step
    alpha[j] -= y[j] * step
    all.each { |t| s[t] += step * (k[i][t] - k[j][t]) }
  end
end

def answer(asked)
  check(asked)
  rows, k = asked["X"], kernel(asked["kernel"])
  beta, b = train(rows.map { |x| rows.map { |z| k.(x, z) } }, asked["y"], asked["C"], asked["tol"] || 1e-3)
  { decisions: asked["rows"].map { |x| rows.zip(beta).sum { |z, v| v * k.(x, z) } + b }, beta: beta, b: b }
rescue Unsupported => why
  { unsupported: why.message }
rescue ArgumentError => why
  { refused: why.message }
end

$stdin.each_line { |line| $stdout.puts(JSON.generate(answer(JSON.parse(line)))) || $stdout.flush }
