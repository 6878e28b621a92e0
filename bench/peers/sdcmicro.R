# sdcMicro on one table: Rscript sdcmicro.R TASK IN.csv OUT.csv
# TASK is version, mdav (k = 5, all columns but id) or suda (sets of columns of every size). Prints the processor seconds of the call, the best
# of three if it takes less than ten.
suppressMessages({ library(data.table); library(sdcMicro) })

arguments <- commandArgs(TRUE)
task <- arguments[1]
if (task == "version") {
  cat(as.character(packageVersion("sdcMicro")), "\n")
  quit()
}

data <- as.data.frame(fread(arguments[2]))
cells <- data[, setdiff(names(data), "id")]

run <- switch(task,
  mdav = function() microaggregation(cells, method = "mdav", aggr = 5)$mx,
  suda = function() data.frame(score = suda2(cells)$score))

best <- Inf
for (round in 1:3) {
  before <- proc.time()
  result <- run()
  taken <- sum((proc.time() - before)[c("user.self", "sys.self")])
  best <- min(best, taken)
  if (taken > 10) break
}
fwrite(cbind(id = data$id, result), arguments[3])
cat(sprintf("%.4f\n", best))
