/**
 * Expressions in the languages of GPUs: functions that these lack, as expressions, and how WGSL and GLSL spell the others. This is
 * the entry `@manybody/core/shading`.
 *
 * @module
 */
export {
  type LibraryFunction,
  type LibraryName,
  library,
  preludeOf,
  shaderSpellings,
} from './language/dialects/library.ts'
export { type ShadingDialect, shaderLiteral, shadingLanguage } from './language/dialects/shading-language.ts'
