# A digest pins the image: docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:... (docs/how-to/host-with-docker.md).
# Every requirement has wheels for amd64 and arm64: docker buildx build --platform linux/amd64,linux/arm64 .
ARG PYTHON_IMAGE=python:3.11-slim

FROM ${PYTHON_IMAGE} AS installed
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv --without-pip /opt/venv
# The requirements come first, because they seldom change, so their layer is cached. The playground's are not included.
# PostgreSQL's are with --build-arg REQUIREMENTS=requirements-postgres.txt, as in compose.postgres.yaml.
ARG REQUIREMENTS=requirements.txt
COPY ${REQUIREMENTS} ./requirements.txt
RUN pip --python /opt/venv/bin/python install --require-hashes --only-binary=:all: -r requirements.txt
COPY bot /app/bot
COPY cogs /app/cogs
COPY data /app/data
# The commit that `--version` names: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
RUN if [ -n "$COMMIT" ]; then printf %s "$COMMIT" > /app/bot/_commit; fi
# The root may be read-only, so everything that Python would write at the first start is written here.
RUN /opt/venv/bin/python -m compileall -q /app \
    && /opt/venv/bin/python -m compileall -q /opt/venv \
    && mkdir -p /app/data/var

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Chaipo" \
      org.opencontainers.image.description="A Discord bot that hosts Open-Face Chinese Poker and its family of games" \
      org.opencontainers.image.licenses="MIT"
RUN useradd --system --uid 10001 --no-create-home chaipo
COPY --from=installed /opt/venv /opt/venv
COPY --from=installed /app /app
# The database and its key are all that the bot writes.
RUN chown -R chaipo /app/data/var
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    CHAIPO_HEALTH_PORT=9464
WORKDIR /app
USER chaipo
VOLUME /app/data/var
EXPOSE 9464
# The endpoint answers 503 with the reason while the bot is unwell.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/health', timeout=4)"]
# The signal of Ctrl+C, which Python handles even as a container's first process, and shuts the bot down cleanly.
STOPSIGNAL SIGINT
# The token comes from outside: docker run --env-file .env --env CHAIPO_HEALTH_PORT=9464 (the file may say 0).
CMD ["python", "-m", "bot"]
