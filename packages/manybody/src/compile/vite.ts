/**
 * A plugin for Vite, Rollup and other bundlers with Rollup's plugins. `import { pull } from './laws.ts?compiled'` imports the workloads of
 * a module in compiled form. This is the entry `manybody/compile/vite`.
 *
 * @module
 */
import type { CompileOptions } from './compile.ts'
import { compileModule } from './compile-module.ts'

const suffix = '?compiled'

/** The context that bundlers pass to the hooks of a plugin. */
interface Context {
  resolve(
    source: string,
    importer: string | undefined,
    options: { readonly skipSelf: boolean },
  ): Promise<{ readonly id: string } | null>
  addWatchFile(file: string): void
}

export interface CompilePlugin {
  readonly name: string
  readonly enforce: 'pre'
  resolveId(this: Context, source: string, importer: string | undefined): Promise<string | undefined>
  load(this: Context, id: string): Promise<string | undefined>
}

/** @param options apply to all workloads */
export function compiled(options: CompileOptions = {}): CompilePlugin {
  return {
    name: 'manybody-compile',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(suffix)) return undefined
      const found = await this.resolve(source.slice(0, -suffix.length), importer, { skipSelf: true })
      return found ? found.id + suffix : undefined
    },
    async load(id) {
      if (!id.endsWith(suffix)) return undefined
      const file = id.slice(0, -suffix.length)
      this.addWatchFile(file)
      return (await compileModule(file, options)).code
    },
  }
}
