// A library of npm as a program for the audit: ml-svm, libsvm-js, or svm, which is svmjs.
//
//     NODE_PATH=$(npm root -g) python3 -m refsvm audit "node spec/adapters/npm_svm.js ml-svm"
//
// Two of them draw pairs by Math.random; the generator below makes each run the same.
'use strict';
console.log = console.error; // a library's own words are no answers
let state = 1;
Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const library = require(process.argv[2] === 'libsvm-js' ? 'libsvm-js/asm' : process.argv[2]);

class Unsupported extends Error {}

const NUMBERS = { nan: NaN, inf: Infinity, '-inf': -Infinity }; // which JSON has not
const read = (key, value) => NUMBERS[value] ?? value;
const written = (key, value) => Object.keys(NUMBERS).find(word => Object.is(NUMBERS[word], value)) ?? value;

const MACHINES = {
  'ml-svm': (kernel, C, tol, X, y) => {
    const { name, degree, gamma, coef0 } = kernel, sigma = Math.sqrt(1 / (2 * gamma));
    const options = { C, tol, whitening: false };
    if (name === 'gaussian') Object.assign(options, { kernel: 'rbf', kernelOptions: { sigma } });
    else if (name === 'polynomial')
      Object.assign(options, { kernel: 'poly', kernelOptions: { degree, scale: gamma, constant: coef0 } });
    else if (name !== 'linear') throw new Unsupported('the kernel');
    const machine = new library(options);
    machine.train(X, y);
    return rows => ({ decisions: machine.margin(rows) });
  },
  svm: ({ name, gamma }, C, tol, X, y) => {
    if (!['linear', 'gaussian'].includes(name)) throw new Unsupported('the kernel');
    const kernel = name === 'linear' ? 'linear' : 'rbf', machine = new library.SVM();
    machine.train(X, y, { C, tol, kernel, rbfsigma: Math.sqrt(1 / (2 * gamma)) });
    return rows => ({ decisions: machine.margins(rows) });
  },
  'libsvm-js': ({ name, degree, gamma, coef0 }, cost, tolerance, X, y) => { // labels are all it tells
    const kernel = ['linear', 'polynomial', 'gaussian', 'sigmoid'].indexOf(name);
    if (kernel < 0) throw new Unsupported('the kernel');
    const machine = new library({ kernel, degree, gamma, coef0, cost, tolerance });
    machine.train(X, y);
    return rows => ({ predictions: machine.predict(rows) });
  },
};

function answer({ X, y, C, kernel, bias, slack, tol, rows }) {
  try {
    if (bias === false || (slack || 'hinge') !== 'hinge') throw new Unsupported('no offset, or other slacks');
    if (C.length !== y.length) throw new Unsupported('lengths that differ');
    if (new Set(C).size > 1 || C[0] === Infinity) throw new Unsupported('several penalties, or hard margins');
    return MACHINES[process.argv[2]](kernel, C[0], tol, X, y)(rows);
  } catch (error) {
    return { [error instanceof Unsupported ? 'unsupported' : 'refused']: String(error.message || error) };
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', line => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line, read)), written) + '\n');
});
