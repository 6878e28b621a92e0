# Reads src/pg/spec/options.def, the table of all options, and the pieces of the install script.
#   awk -f scripts/options.awk src/pg/spec/options.def sql/install/*.sql
#       prints the pieces; after the name of a function ${arguments} becomes the declarations of its arguments and
#       ${types} their types; ${require_schema} becomes statements of PL/pgSQL
#   awk -v want=words -f scripts/options.awk src/pg/spec/options.def
#       prints what arguments mean, as lines of docs/arguments.tsv
#   awk -v want=functions -f scripts/options.awk src/pg/spec/options.def
#       prints the functions with the names of their arguments
# Runs in every awk of POSIX.

function fail(message) {
  print "options.awk: " message >"/dev/stderr"
  failed = 1
  exit 1
}

# The content of the string literals of a field, which C++ would join.
function text_of(field,    parts, count, i, text) {
  count = split(field, parts, "\"")
  text = ""
  for (i = 2; i <= count; i += 2) text = text parts[i]
  return text
}

function trimmed(text) {
  gsub(/^[ \n]+|[ \n]+$/, "", text)
  return text
}

# Splits MACRO(a, b, ...) at the commas outside of brackets and strings, into fields[0] to fields[count - 1].
function split_row(row, fields,    i, c, depth, quoted, field, count) {
  depth = quoted = count = 0
  field = ""
  for (i = 1; i <= length(row); ++i) {
    c = substr(row, i, 1)
    if (c == "\"") quoted = !quoted
    if (!quoted && c ~ /[({[]/ && ++depth == 1) {
      fields[count++] = trimmed(field)
      field = ""
    } else if (!quoted && c ~ /[)}\]]/ && --depth == 0) {
      fields[count++] = trimmed(field)
      return count
    } else if (!quoted && c == "," && depth == 1) {
      fields[count++] = trimmed(field)
      field = ""
    } else {
      field = field c
    }
  }
  return 0
}

function declare(name, type, fallback, words) {
  if (name in type_of) fail(name " is declared twice")
  type_of[name] = type
  default_of[name] = text_of(fallback)
  say(name, words)
}

function say(name, words) { if (want == "words") print name "\t" text_of(words) }

function take_row(fields, count) {
  if (fields[0] == "OPTION") {
    declare(fields[1], fields[2], fields[3], fields[5])
    every_option = every_option " " fields[1] "=" (fields[2] == "anyelement" ? "NULL::boolean" : "NULL")
  } else if (fields[0] == "PROMISE") {
    declare(fields[1], fields[2], fields[3], fields[4])
    every_option = every_option " " fields[1] "=NULL"
  } else if (fields[0] == "OTHER") {
    declare(fields[1], fields[2], fields[3], fields[4])
  } else if (fields[0] == "FORMER") {
    declare(fields[1], fields[3], fields[4], "\"older name of " fields[2] "\"")
  } else if (fields[0] == "WORDS") {
    say(fields[1] "." fields[2], fields[3])
  } else if (fields[0] == "LIST") {
    members["@" fields[1]] = text_of(fields[2])
  } else if (fields[0] == "FUNCTION") {
    members[fields[1]] = text_of(fields[2])
    functions[++function_count] = fields[1]
  } else {
    fail("unknown row " fields[0])
  }
}

# The arguments of a function without lists: NAME or NAME=DEFAULT, separated by spaces.
function flat(name,    parts, count, i, list) {
  if (name == "@every_option") return every_option
  if (!(name in members)) fail(name " has no row in options.def")
  count = split(members[name], parts, " ")
  list = ""
  for (i = 1; i <= count; ++i) list = list " " (parts[i] ~ /^@/ ? flat(parts[i]) : parts[i])
  return list
}

# The declarations of a function's arguments, or their types.
function signature(name, wants_types,    parts, count, i, argument, fallback, list) {
  count = split(flat(name), parts, " ")
  list = ""
  for (i = 1; i <= count; ++i) {
    argument = parts[i]
    sub(/=.*/, "", argument)
    if (!(argument in type_of)) fail("argument " argument " of " name " has no row in options.def")
    fallback = default_of[argument]
    if (index(parts[i], "=")) fallback = substr(parts[i], length(argument) + 2)
    if (wants_types)
      list = list (i > 1 ? ", " : "") type_of[argument]
    else
      list = list (i > 1 ? "," : "") "\n  " argument " " type_of[argument] \
        (fallback == "" ? "" : " DEFAULT " fallback)
  }
  return list
}

# The names of a function's arguments.
function names(name,    list) {
  list = flat(name)
  gsub(/=[^ ]*/, "", list)
  gsub(/  +/, " ", list)
  return list
}

# Raises an error if the extension's schema has another name than at CREATE EXTENSION, by which a function calls others.
function require_schema() {
  return "IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension AS installed WHERE installed.extname OPERATOR(pg_catalog.=) 'anonkit'\n" \
    "      AND installed.extnamespace OPERATOR(pg_catalog.=) pg_catalog.to_regnamespace('@extschema@')::pg_catalog.oid) THEN\n" \
    "    RAISE object_not_in_prerequisite_state USING MESSAGE = 'the schema of anonkit has another name than at its installation',\n" \
    "      DETAIL = 'Functions for distributed releases call each other by that name, which another role may take.',\n" \
    "      HINT = 'Rename it to @extschema@ again.';\n" \
    "  END IF;"
}

# Replaces ${require_schema}, and NAME(${...}) in a line.
function expanded(line,    at, name, wants_types) {
  if (line ~ /^ +\$\{require_schema\}$/) return "  " require_schema()
  while (match(line, /[a-z_]+\(\$\{(arguments|types)\}\)/)) {
    at = substr(line, RSTART, RLENGTH)
    name = at
    sub(/\(.*/, "", name)
    wants_types = at ~ /types/
    line = substr(line, 1, RSTART - 1) name "(" signature(name, wants_types) ")" substr(line, RSTART + RLENGTH)
  }
  if (line ~ /\$\{/) fail("unknown word in: " line)
  return line
}

FNR == 1 { ++file }
file > 1 { print expanded($0); next }
/^\/\// { next }
{
  row = row "\n" $0
  count = split_row(row, fields)
  if (count > 0) {
    take_row(fields, count)
    row = ""
  }
}
END {
  if (!failed && row ~ /[^ \n]/) fail("unfinished row: " row)
  for (i = 1; !failed && want == "functions" && i <= function_count; ++i) print functions[i] names(functions[i])
}
