/**
 * Reading and writing points: XYZ, CSV and TIPSY, from and to streams. It loads with the entry `manybody/files` only.
 *
 * @module
 */
export { type CsvPoints, readCsv, writeCsv } from './csv.ts'
export { FileFormatError } from './file-format-error.ts'
export type { FileSource } from './source.ts'
export { readTipsy, type TipsyPoints, type TipsySnapshot, writeTipsy } from './tipsy.ts'
export { readXyz, writeXyz, type XyzFrame } from './xyz.ts'
