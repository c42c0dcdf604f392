// A plugin of TypeDoc: the modules of the reference are the entries of the packages, with their import names.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
/** The packages; the one with the most readers comes first. */
const folders = ['manybody', 'core', ...readdirSync(packages)]

/** Maps source files to import names. Core's index is left out, because `manybody` exports its names, too. */
export const entries = new Map(
  folders.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'))
    return Object.entries(exports).map(([path, file]) => [join(packages, folder, file), join(name, path)])
  }),
)
entries.delete(join(packages, 'core/src/index.ts'))

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const file = project.getSymbolIdFromReflection(module)?.fileName ?? ''
      module.name = entries.get(file) ?? module.name
    }
  })
}
