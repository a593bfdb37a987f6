# The exact optimum: a machine of one's own in Ruby, as a program for the audit.
#
#     python3 -m refsvm audit "ruby spec/adapters/exact.rb"
require "json"
require_relative "active_set"

def number(v) = v.is_a?(Numeric) ? v.to_r : raise(ArgumentError, "#{v.inspect} is no number")

def exp(t)  # e^-t to 2^-96
  return 0r if t > 800
  x, sum, term, i = (t * 2**118).floor, 2**128, 2**128, 0
  sum += term = -term * x / 2**128 / (i += 1) until term.abs < 2
  10.times { sum = sum * sum / 2**128 }
  Rational(sum >> 32, 2**96)
end

def kernel(name, gamma, coef0, degree)
  raise ArgumentError, "gamma > 0 and degree >= 0 are needed" if [gamma || 1, (degree || 0) + 1].min <= 0
  tanh = ->(v) { (v <=> 0) * (1 - exp(2 * v.abs)) / (1 + exp(2 * v.abs)) }
  { "linear" => ->(x, z) { dot(x, z) },
    "polynomial" => ->(x, z) { (gamma * dot(x, z) + coef0)**degree.to_i },
    "gaussian" => ->(x, z) { exp(gamma * x.zip(z).sum { |p, q| (p - q)**2 }) },
    "sigmoid" => ->(x, z) { tanh.(gamma * dot(x, z) + coef0) } }.fetch(name) { raise ArgumentError, "kernel #{name}" }
end

def check(x, y, most, slack)
  raise ArgumentError, "slack #{slack}" unless [nil, "hinge", "squared"].include?(slack)
  raise ArgumentError, "labels -1 and 1 are needed" unless y.uniq.sort == [-1, 1]
  raise ArgumentError, "C must be positive" unless most.min > 0
  raise ArgumentError, "rows of one length, with a label and a C each, are needed" unless
    [x, y, most].map(&:size).uniq.size == 1 && x.map(&:size).uniq.size == 1 && x[0].any?
end

def answer(asked)
  x, rows = asked.values_at("X", "rows").map { |list| list.map { |z| z.map { |v| number(v) } } }
  y, most, given = asked["y"], asked["C"].map { |c| c == "inf" ? ActiveSet::NEVER : number(c) }, asked["kernel"]
  check(x, y, most, asked["slack"])
  parameters = given.values_at("gamma", "coef0", "degree").map { |v| v && number(v) }
  k = kernel(given["name"], *parameters) if given["name"] != "precomputed"  # then rows hold its values
  values = ->(z) { k ? x.map { |row| k.(row, z) } : z }
  gram = x.map(&values)
  raise ArgumentError, "a Gram matrix must be symmetric" unless gram.transpose == gram
  if asked["slack"] == "squared"
    gram.each_index { |i| gram[i][i] += 1 / most[i] if most[i] < ActiveSet::NEVER }
    most.fill(ActiveSet::NEVER)
  end
  ends = y.zip(most).map { |s, c| [0, s * c].sort }
  *beta, b = ActiveSet.new(gram, y, ends, asked["bias"] != false).solve
  return { status: "infeasible" } unless b
  { decisions: rows.map { |z| (dot(values.(z), beta) + b).to_f }, beta: beta.map(&:to_f), b: b.to_f }
rescue ArgumentError => why
  { refused: why.message }
end

$stdin.each_line { |line| $stdout.puts(JSON.generate(answer(JSON.parse(line)))) || $stdout.flush }
