// What users import: `import Frost` brings the values that its calls take along.
@_exported public import FrostCore
