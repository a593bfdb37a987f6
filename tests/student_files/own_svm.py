"""A student's SVM: SMO with the pair that violates the conditions most."""


def svm(K, y, C):
    n = range(len(y))
    alpha, E = [0.0 for _ in n], [-float(label) for label in y]
    for _ in range(100000):
        rise = [k for k in n if (alpha[k] < C[k] if y[k] > 0 else alpha[k] > 0)]
        fall = [k for k in n if (alpha[k] > 0 if y[k] > 0 else alpha[k] < C[k])]
        i, j = min(rise, key=lambda k: E[k]), max(fall, key=lambda k: E[k])
        if E[j] - E[i] <= 1e-9:
            break
        # beta_i = alpha_i y_i rises by as much as beta_j falls
        room_i = C[i] - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else C[j] - alpha[j]
        eta = K[i][i] + K[j][j] - 2 * K[i][j]
        best = (E[j] - E[i]) / eta if eta > 0 else room_i + room_j
        step = min(best, room_i, room_j)
        alpha[i] += y[i] * step
        alpha[j] -= y[j] * step
        if step == room_i:
            alpha[i] = C[i] if y[i] > 0 else 0.0
        if step == room_j:
            alpha[j] = 0.0 if y[j] > 0 else C[j]
        E = [e + step * (K[i][k] - K[j][k]) for k, e in enumerate(E)]
    return alpha, -(E[i] + E[j]) / 2
