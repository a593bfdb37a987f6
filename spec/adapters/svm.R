# svm() of e1071 or ksvm() of kernlab: python3 -m refsvm audit "Rscript spec/adapters/svm.R e1071"
package <- commandArgs(trailingOnly = TRUE)[1]
suppressPackageStartupMessages(library(package, character.only = TRUE))

read_json <- function(line) { # R has none of its own
  tokens <- regmatches(line, gregexpr('"[^"]*"|[][{}:,]|[^][{}:,"[:space:]]+', line))[[1]]
  at <- 0
  take <- function(n = 1) tokens[at <<- at + n]
  value <- function(token) {
    if (token %in% c("true", "false")) return(token == "true")
    if (!token %in% c("[", "{")) {
      text <- gsub('"', "", token)
      return(if (text == token || text %in% c("inf", "-inf", "nan")) as.numeric(text) else text)
    }
    items <- list()
    while (!(next_one <- take()) %in% c("]", "}")) {
      if (next_one == ",") next_one <- take()
      if (token == "[") items[[length(items) + 1]] <- value(next_one)
      else items[[gsub('"', "", next_one)]] <- value(take(2))
    }
    items
  }
  value(take())
}

unsupported <- function(words) stop(errorCondition(words, class = "unsupported"))

decisions <- function(asked) {
  X <- do.call(rbind, lapply(asked$X, unlist))
  rows <- do.call(rbind, lapply(asked$rows, unlist))
  y <- factor(unlist(asked$y), c(-1, 1)); C <- unique(unlist(asked$C)); k <- asked$kernel
  if (identical(asked$bias, FALSE) || c(asked$slack, "hinge")[1] != "hinge") unsupported("another problem")
  if (length(asked$C) != length(y)) unsupported("lengths that differ")
  if (length(C) != 1 || is.infinite(C)) unsupported("several penalties, or hard margins")
  if (!k$name %in% c("linear", "polynomial", "gaussian", "sigmoid")) unsupported("the kernel")
  if (package == "e1071") {
    machine <- svm(X, y, scale = FALSE, kernel = sub("gaussian", "radial", k$name), cost = C,
                   tolerance = c(asked$tol, 1e-3)[1], degree = c(k$degree, 3)[1],
                   gamma = c(k$gamma, 1)[1], coef0 = c(k$coef0, 0)[1])
    f <- attr(predict(machine, rows, decision.values = TRUE), "decision.values")
    return(if (colnames(f) == "1/-1") f[, 1] else -f[, 1])
  }
  kernel <- switch(k$name, linear = vanilladot(), gaussian = rbfdot(k$gamma),
                   polynomial = polydot(k$degree, k$gamma, k$coef0), sigmoid = tanhdot(k$gamma, k$coef0))
  machine <- ksvm(X, y, scaled = FALSE, kernel = kernel, C = C, tol = c(asked$tol, 1e-3)[1])
  predict(machine, rows, type = "decision")[, 1]
}

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  cat(tryCatch({
    f <- sub("^(-?)Inf$", '"\\1inf"', sprintf("%.17g", decisions(read_json(line))))
    paste0('{"decisions": [', paste(sub("^NaN?$", '"nan"', f), collapse = ", "), "]}")
  }, error = function(why) {
    name <- if (inherits(why, "unsupported")) "unsupported" else "refused"
    sprintf('{"%s": "%s"}', name, gsub('["\\\\[:cntrl:]]', " ", conditionMessage(why)))
  }), "\n", sep = "")
  flush(stdout())
}
