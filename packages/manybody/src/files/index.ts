/**
 * Reading and writing points: XYZ, CSV and TIPSY, and tables of LAMMPS and of embedded atoms, from and to streams. It loads with the entry `manybody/files` only.
 *
 * @module
 */
export { type CsvOptions, type CsvPoints, readCsv } from './csv.ts'
export { type EamCurve, type EamElement, type EamTables, readFuncfl, readSetfl } from './eam-tables.ts'
export { FileFormatError } from './file-format-error.ts'
export { type LammpsTable, readLammpsTables } from './lammps-tables.ts'
export type { FileSource } from './source.ts'
export { readTipsy, type TipsyPoints, type TipsySnapshot, writeTipsy } from './tipsy.ts'
export { writeCsv } from './write-csv.ts'
export { writeXyz } from './write-xyz.ts'
export { readXyz, type XyzFrame } from './xyz.ts'
