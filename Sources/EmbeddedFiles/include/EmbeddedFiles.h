/// Files that are part of the program.
///
/// Swift's own embedding writes a file as a list of numbers, which takes its compiler most of a minute for these.
///
/// A list of them ends with one without a name.
typedef struct {
  const char *_Nullable name;
  const unsigned char *_Nullable bytes;
  unsigned long count;
} EmbeddedFile;

/// The pages of `modelc explain`, `MC0.md` to `MC7.md`.
extern const EmbeddedFile *_Nonnull const explanationPages;

/// The sample model Trails: `versions.yaml` and its versions.
extern const EmbeddedFile *_Nonnull const sampleModelFiles;

/// The mapping models of the sample's steps.
extern const EmbeddedFile *_Nonnull const sampleMappingFiles;

/// Texts with `@names@` for what differs: what `modelc init` writes, the pages of `help --all` and `doctor --bundle`.
extern const EmbeddedFile *_Nonnull const initFiles;

/// The kinds of trouble that `modelc triage` knows in logs.
extern const EmbeddedFile *_Nonnull const logKindPages;

/// The pages of the documentation, a line for each: file, title and first sentence, with tabs between them.
extern const EmbeddedFile *_Nonnull const documentationPages;

/// The page that `modelc export --as html` fills: `page.html`, `page.css`, `page.js`.
extern const EmbeddedFile *_Nonnull const pageFiles;
