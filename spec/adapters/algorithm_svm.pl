# Algorithm::SVM (LIBSVM for Perl) as a program for the audit:
#
#     python3 -m refsvm audit "perl spec/adapters/algorithm_svm.pl"
#
# It prints LIBSVM's log on standard output, where only answers may be: so that is put aside first.
use strict;
use warnings;
use JSON::PP;
use Algorithm::SVM;
use Algorithm::SVM::DataSet;

open(my $answers, '>&', \*STDOUT) or die $!;
open(STDOUT, '>', '/dev/null') or die $!;
$answers->autoflush(1);
$| = 1;
my %name = (
    linear => 'linear', polynomial => 'polynomial', gaussian => 'radial', sigmoid => 'sigmoid');

sub unsupported {
    my ($asked) = @_;
    return 'the kernel' unless $name{ $asked->{kernel}{name} };
    return 'no offset' if exists $asked->{bias} && !$asked->{bias};
    return 'squared slacks' if ($asked->{slack} // 'hinge') ne 'hinge';
    return 'lengths that differ' if @{ $asked->{X} } != @{ $asked->{y} } || @{ $asked->{C} } != @{ $asked->{y} };
    my %penalties = map { $_ => 1 } @{ $asked->{C} };
    return 'several penalties, or none that is finite' if keys %penalties != 1 || $penalties{inf};
    return undef;
}

sub decisions {
    my ($asked) = @_;
    my $kernel = $asked->{kernel};
    my $svm = Algorithm::SVM->new(
        Type => 'C-SVC', Kernel => $name{ $kernel->{name} }, Degree => $kernel->{degree} // 3,
        Gamma => $kernel->{gamma} // 1, Coef0 => $kernel->{coef0} // 0, C => $asked->{C}[0],
        Epsilon => $asked->{tol} // 1e-3);
    my $row = sub { Algorithm::SVM::DataSet->new(Label => $_[1], Data => [ map { 0 + $_ } @{ $_[0] } ]) };
    $svm->train(map { $row->($asked->{X}[$_], $asked->{y}[$_]) } 0 .. $#{ $asked->{X} });
    my $sign = ($svm->getLabels)[0];    # the label whose side is positive
    return map { $sign * $svm->predict_value($row->($_, 0)) } @{ $asked->{rows} };
}

sub number {    # JSON::PP would write 15 digits, and a double needs 17
    my $digits = sprintf('%.17g', $_[0]);
    return $digits =~ /nan|inf/i ? '"' . lc($digits) . '"' : $digits;
}

while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    my $why = unsupported($asked);
    my @decisions = $why ? () : eval { decisions($asked) };
    print $answers $why ? encode_json({ unsupported => $why })
        : $@ ? encode_json({ refused => "$@" })
        : '{"decisions": [' . join(', ', map { number($_) } @decisions) . ']}', "\n";
}
