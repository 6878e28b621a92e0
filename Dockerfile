# PostgreSQL of Debian with anonkit:
#
#   docker build -t anonkit .
#   docker run --rm -p 5432:5432 -e PGPASSWORD=secret anonkit
#
# The server's superuser is postgres, with that password; CREATE EXTENSION anonkit in any database. podman and buildah
# take the same file.
#
# The files of anonkit alone, as an image volume for the PostgreSQL of another image (examples/kubernetes):
#
#   docker build --target volume --build-arg BUILDER=postgres:18-trixie --build-arg POSTGRES=18 -t anonkit-volume:18 .
ARG BASE=debian:bookworm
ARG BUILDER=${BASE}

FROM ${BUILDER} AS build
ARG POSTGRES=all
RUN apt-get update && apt-get install -y --no-install-recommends \
    g++ libeigen3-dev make postgresql-server-dev-${POSTGRES} && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN make -C /src -j"$(nproc)" && make -C /src install DESTDIR=/installed && make -C /src volume VOLUME=/volume

FROM scratch AS volume
COPY --from=build /volume/ /

FROM ${BASE}
# The image makes its cluster itself, when it is first run.
RUN mkdir -p /etc/postgresql-common && \
    echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf && \
    apt-get update && apt-get install -y --no-install-recommends postgresql && \
    rm -rf /var/lib/apt/lists/* && install -d -o postgres -g postgres /data
COPY --from=build /installed/ /
USER postgres
VOLUME /data
EXPOSE 5432
ENTRYPOINT ["/bin/bash", "-euc", "\
  bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1); \
  if [ ! -e /data/PG_VERSION ]; then \
    \"$bin/initdb\" -D /data --encoding=UTF8 --auth=scram-sha-256 \
      --pwfile=<(printf '%s\\n' \"${PGPASSWORD:?set PGPASSWORD}\") && \
    printf '%s\\n' \"listen_addresses = '*'\" >> /data/postgresql.conf && \
    printf '%s\\n' 'host all all all scram-sha-256' >> /data/pg_hba.conf; \
  fi; \
  exec \"$bin/postgres\" -D /data -k /tmp"]
