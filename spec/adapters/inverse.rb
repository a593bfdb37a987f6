# The inverse of a symmetric matrix of whole numbers that grows and shrinks by a row and a column.
#
# It is @adjugate / @det. Both are whole and every division is exact, so no fraction is reduced.
# Source: Bareiss, Mathematics of Computation 22 (1968).
def dot(x, z) = x.zip(z).sum { |p, q| p * q }

class Inverse
  attr_reader :det

  def initialize(adjugate, det) = (@adjugate, @det = adjugate, det)

  # det times how what is in must move for its equations to hold, as what has this column moves by 1.
  def response(column) = @adjugate.map { |row| -dot(row, column) }

  # The response of the new row and column, and 1; det * pivot is what they are with it.
  def take(response, pivot)
    grown = [*response, @det]
    @adjugate = [*@adjugate, [0] * response.size].zip(grown).map do |row, p|
      [*row, 0].zip(grown).map { |v, q| (v * pivot + p * q) / @det }
    end
    @det = pivot
  end

  def release(place)
    gone = @adjugate[place]
    @adjugate = @adjugate.map do |row|
      row.zip(gone).map { |v, w| (v * gone[place] - row[place] * w) / @det }
    end
    [@adjugate, *@adjugate].each { |list| list.delete_at(place) }
    @det = gone[place]
  end
end
