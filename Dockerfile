# A digest holds the image fast: docker build --build-arg PYTHON_IMAGE=python:3.11-slim@sha256:... (docs/hosting.md).
ARG PYTHON_IMAGE=python:3.11-slim
FROM ${PYTHON_IMAGE}

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app

# The requirements first: they change seldom, and the layer is kept. The playground's are not among them.
COPY requirements.txt ./
RUN pip install --require-hashes -r requirements.txt

COPY . .

# The database and its key are all that the bot writes.
RUN useradd --system --uid 10001 --no-create-home chaipo \
    && mkdir -p data/var \
    && chown -R chaipo data/var
USER chaipo
VOLUME /app/data/var

# Ctrl-C's signal: Python answers it even as the first process of a container, and shuts the bot down in order.
STOPSIGNAL SIGINT

# The token comes from outside: docker run --env-file .env (or --env DISCORD_TOKEN).
CMD ["python", "-m", "bot"]
