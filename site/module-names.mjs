// A plugin of TypeDoc: the modules of the reference are what one can import, by the names by which one imports it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
/** The packages, that of most readers first. */
const folders = ['manybody', 'core', ...readdirSync(packages)]

/** Source files to the names by which they are imported; without core's index, whose names `manybody` exports, too. */
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
