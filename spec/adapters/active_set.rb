# The dual of an SVM in fractions: from one optimum of a face of the box to a better one, to the end.
#
# k is the Gram matrix, y the labels, ends[i] the two ends of beta_i = alpha_i y_i. The offset is
# variable n, without ends: its kernel value with an example is 1. off is y - f, in a unit that makes
# kernel values whole. It is 0 at what is free, which moves together with example i until i is on its
# margin, or something meets an end.
# Source: Keller, Mathematical Programming 4 (1973); ties: Chang and Cottle, the same 18 (1980).
require_relative "inverse"

class ActiveSet
  NEVER = Float::INFINITY

  def initialize(k, y, ends, bias)
    k = k.map { |row| [*row, 1r] } << [*[1r] * y.size, 0r]
    @n, @one, @ends = y.size, k.flatten.map(&:denominator).reduce(:lcm), [*ends, [-NEVER, NEVER]]
    @k, @off = k.map { |row| row.map { |v| (v * @one).to_i } }, [*y, 0].map { |v| v * @one.to_r }
    @beta, @free, @inverse = [0r] * k.size, [], Inverse.new([], 1)
    rest_on(y.index(1)) if bias
  end

  def solve  # the n numbers beta_i, and b; nil if there is no hard margin
    step = NEVER
    until (open = (0...@n).select { |i| @off[i] != 0 && room(i, @off[i]) > 0 } - @free).empty?
      i = step > 0 ? open.max_by { |j| @off[j].abs } : open[0]
      until @off[i] == 0
        step, met = move(i)
        return if step == NEVER
        break if met == i
        break rest_on(i) if @free == [@n, met]
        met && @inverse.release(@free.index(met))
        met ? @free.delete(met) : @free << i
      end
    end
    @beta
  end

  def room(i, v) = (far = @ends[i][v > 0 ? 1 : 0]).abs == NEVER ? NEVER : (far - @beta[i]) / v

  def rest_on(i)  # free are example i alone and the offset, which puts it on its margin
    @free, @inverse = [@n, i], Inverse.new([[@k[i][i], -@one], [-@one, 0]], -@one**2)
    @beta[@n] += @off[i] / @one
    @off = [*@off[0...@n].map { |v| v - @off[i] }, @off[@n]]
  end

  def move(i)  # how far, and what has met an end: nil if i is free now, for it is on its margin
    column, det = @k[i].values_at(*@free), @inverse.det
    response = @inverse.response(column)
    curve, side = dot(column, response) + @k[i][i] * det, (@off[i] <=> 0) * (det <=> 0)
    moved, speeds = [*@free, i].zip([*response, det].map { |v| v * side }).reject { |_, v| v == 0 }.transpose
    step, met = moved.zip(speeds).map { |j, v| [room(j, v), j] }.min
    step, met = (@off[i] / curve).abs, nil if curve * det > 0 && (@off[i] / curve).abs <= step
    return step if step == NEVER
    moved.zip(speeds) { |j, v| @beta[j] += v * step }
    @off = @off.zip(@k).map { |off, row| off - step * dot(row.values_at(*moved), speeds) }
    @inverse.take(response, curve) unless met
    [step, met]
  end
end
