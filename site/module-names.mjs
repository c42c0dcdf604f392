// A plugin of TypeDoc: a module of the reference has the name by which it is imported.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Converter, ReflectionKind } from 'typedoc'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const names = new Map(
  readdirSync(packages).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'))
    return Object.entries(exports).map(([path, file]) => [join(packages, folder, file), join(name, path)])
  }),
)

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const file = project.getSymbolIdFromReflection(module)?.fileName ?? ''
      module.name = names.get(file) ?? module.name
    }
  })
}
