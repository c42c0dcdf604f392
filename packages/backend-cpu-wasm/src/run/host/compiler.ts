/**
 * The door from the runtime to the compiler, which loads when something must be compiled.
 *
 * @module
 */

export const loadCompiler = (): Promise<typeof import('../../compile/compiler.ts')> =>
  import('../../compile/compiler.ts')
