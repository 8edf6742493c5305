if [ "$(modelc --version 2>/dev/null)" != "$MODELC_VERSION" ]; then
  apt-get update -qq
  apt-get install -y -qq git @packages@
  if [ ! -x "@binaries@/modelc" ]; then
    source=$(mktemp -d)
    git clone --quiet "${MODELC_REPOSITORY:?names no repository of modelc}" "$source"
    git -C "$source" checkout --quiet --detach "$MODELC_REVISION"
    swift build -c release --product modelc --traits SwiftData --package-path "$source"
    mkdir -p "@binaries@"
    cp "$(swift build -c release --show-bin-path --package-path "$source")/modelc" "@binaries@/modelc"
  fi
fi
