# The extension, built by PGXS: make, make install, make installcheck.
# The core's own tests and benchmarks are built by CMakeLists.txt from the same sources.
EXTENSION = anonkit
MODULE_big = anonkit
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" anonkit.control)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
PG_INCLUDE := $(shell $(PG_CONFIG) --includedir-server)
EIGEN_INCLUDE := $(shell pkg-config --cflags-only-I eigen3 2>/dev/null | sed -n 's/^-I//p')
EIGEN_INCLUDE := $(or $(strip $(EIGEN_INCLUDE)),/usr/include/eigen3)

# ---- files ---------------------------------------------------------------------------------------
sources := $(shell find src/ -name "*.cpp" | sort)
# Headers take most of the time to compile a file, so the files of a folder are compiled as one. With ALONE=1 each is
# compiled by itself: a change of one file then costs less, a build of everything four times as much.
alone := $(if $(ALONE),$(sources))
united := $(patsubst %/,%/united.cpp,$(sort $(dir $(filter-out $(alone),$(sources)))))
# The folder that takes longest begins, so that all processors end together.
united := $(filter %/utility/united.cpp,$(united)) $(filter-out %/utility/united.cpp,$(united))
OBJS = $(patsubst src/%.cpp,build/pgxs/%.o,$(alone) $(united))
core_objects := $(filter build/pgxs/core/%,$(OBJS))
pg_objects := $(filter build/pgxs/pg/%,$(OBJS))

install_script := anonkit--$(EXTVERSION).sql
install_pieces := $(sort $(wildcard sql/install/*.sql))
# An upgrade to this version treats what its old version left by its own file, drops the old objects, and then runs
# the install script; a tail follows it.
upgrade_heads := $(wildcard sql/upgrade/*--$(EXTVERSION).sql)
upgrade_scripts := $(upgrade_heads:sql/upgrade/%=anonkit--%)
DATA_built = $(install_script) $(upgrade_scripts)

# The core works in threads.
SHLIB_LINK += -pthread

REGRESS = $(patsubst sql/%.sql,%,$(sort $(wildcard sql/*.sql)))
REGRESS_OPTS = --inputdir=. --outputdir=build/regress --load-extension=anonkit

EXTRA_CLEAN = build/pgxs build/regress build/sanitized $(install_script) $(upgrade_scripts)

# JIT could only inline bitcode of the functions that SQL calls, whose time is negligible.
override with_llvm := no

include $(PGXS)

# WERROR=1 makes warnings errors, for developers only: other compilers may have other warnings.
# SANITIZE=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer, whose runtimes the server must
# preload (scripts/extension.sh: sanitizer_runtimes).

# ---- how it is compiled --------------------------------------------------------------------------
# Sums are exact in integers of 128 bits, which compilers have for 64-bit processors alone.
ifneq (,$(findstring __SIZEOF_INT128__,$(shell echo __SIZEOF_INT128__ | $(CXX) $(CXXFLAGS) -E -P -x c++ - 2>/dev/null)))
$(error anonkit needs a 64-bit processor: this compiler has no integers of 128 bits)
endif

sanitizers := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS
# PostgreSQL passes on the flags of the compiler that built it; clang does not know all flags of gcc.
is_clang := $(findstring clang,$(shell $(CXX) --version 2>/dev/null))
# Releases must be equal on every machine: no contraction, no -march=native, no -ffast-math.
# Lines and functions are enough for profiles, and take a quarter of the time off compiling.
override CXXFLAGS += -std=c++17 -O2 -g1 -ffp-contract=off -fvisibility=hidden -MMD -MP \
	-Wall -Wextra -Wno-register $(if $(WERROR),-Werror) $(if $(SANITIZE),$(sanitizers)) \
	$(if $(is_clang),-Wno-unknown-warning-option -Wno-ignored-optimization-argument)
core_flags := -Isrc/core -isystem $(EIGEN_INCLUDE) -DEIGEN_DONT_PARALLELIZE
# As system headers, PostgreSQL's raise no warnings of their own. Version 15 leaves PGDLLEXPORT empty.
pg_flags := -Isrc $(core_flags) -isystem $(PG_INCLUDE) \
	-DPGDLLEXPORT='__attribute__((visibility("default")))' -DANONKIT_VERSION='"$(EXTVERSION)"'

# The module is C++: the C++ compiler links it.
COMPILER = $(CXX) $(CXXFLAGS)

# The core is compiled without PostgreSQL's include folders.
# Distances are computed in blocks, which vectorise well. Private: the file of settings, which the objects need, has the
# same flags whoever asks for it.
$(core_objects): private override CXXFLAGS += $(if $(SANITIZE),-O1,-O3)
$(core_objects): compile = $(CXX) $(CXXFLAGS) $(core_flags)
$(pg_objects): compile = $(CXX) $(CXXFLAGS) $(pg_flags) $(CPPFLAGS)
build/pgxs/%.o: src/%.cpp
	@mkdir -p $(@D)
	$(compile) -c -o $@ $<
build/pgxs/%/united.o: build/pgxs/%/united.cpp
	$(compile) -iquote . -c -o $@ $<

# The core alone, for its tests.
build/pgxs/core.a: $(core_objects)
	@rm -f $@
	$(AR) rcs $@ $^

# The files of a folder. It changes when they do.
includes_of = printf '\#include "%s"\n' $(sort $(wildcard src/$*/*.cpp))
.PRECIOUS: build/pgxs/%/united.cpp
build/pgxs/%/united.cpp: settings
	@mkdir -p $(@D)
	@$(includes_of) | cmp -s - $@ || $(includes_of) > $@

.PHONY: united_sources
united_sources: $(united:src/%=build/pgxs/%)

# Other flags, another compiler or another server rebuild everything.
$(OBJS): Makefile build/pgxs/settings

.PHONY: settings
build/pgxs/settings: settings
	@mkdir -p $(@D)
	@echo '$(PGXS) $(subst ','\'',$(CXX) $(CXXFLAGS) $(pg_flags) $(CPPFLAGS))' | cmp -s - $@ || \
	  echo '$(PGXS) $(subst ','\'',$(CXX) $(CXXFLAGS) $(pg_flags) $(CPPFLAGS))' > $@

installcheck: | build/regress
build/regress:
	mkdir -p $@

# The arguments of functions with options come from the table of options.
expand_install := awk -f scripts/options.awk src/pg/spec/options.def
install_sources := $(install_pieces) src/pg/spec/options.def scripts/options.awk anonkit.control Makefile

$(install_script): $(install_sources)
	$(expand_install) $(install_pieces) > $@ || { rm -f $@; exit 1; }

# An upgrade keeps functions that something depends on, and replaces them.
replacing := sed -e '/^\\echo/d' -e 's/^CREATE \(FUNCTION\|PROCEDURE\|VIEW\) /CREATE OR REPLACE \1 /'
drop_old := sql/upgrade/drop_old.sql
require_new := sql/upgrade/require_new.sql

$(upgrade_scripts): anonkit--%.sql: sql/upgrade/%.sql $(wildcard sql/upgrade/*.sql) $(install_script)
	(cat $< $(drop_old) && $(replacing) $(install_script) && cat $(require_new) $(wildcard $(<:.sql=.tail.sql))) > $@

# Debian packages for every PostgreSQL whose headers are installed, from a copy of this folder.
.PHONY: deb
deb:
	rm -rf build/deb
	mkdir -p build/deb/anonkit
	tar --exclude=./build --exclude=./.git --exclude='*.so' -c . | tar -x -C build/deb/anonkit
	cd build/deb/anonkit && PG_UPDATECONTROL=yes MAKEFLAGS= dpkg-buildpackage -b -us -uc -j$$(nproc)

# The files of an image that operators mount beside a server: share/extension and lib.
VOLUME ?= build/volume
.PHONY: volume
volume: all
	rm -rf $(VOLUME)
	$(INSTALL) -d $(VOLUME)/lib $(VOLUME)/share/extension
	$(INSTALL_SHLIB) $(MODULE_big)$(DLSUFFIX) $(VOLUME)/lib
	$(INSTALL_DATA) $(EXTENSION).control $(DATA_built) $(VOLUME)/share/extension

.PHONY: dist
dist:
	@mkdir -p build
	git archive --format=zip --prefix=anonkit-$(EXTVERSION)/ -o build/anonkit-$(EXTVERSION).zip HEAD

-include $(OBJS:.o=.d)
