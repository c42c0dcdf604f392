// The lists of CONTRIBUTING.md beside the code. The compiler gets a function and a reduction that only their unions name. It rejects some
// files; tests compare others with all names. Together they must be the files of the list.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { numericNames } from '@manybody/core/expression'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { onceVariant, variants } from '../../packages/backend-webgpu/src/plans/variants.ts'
import { reductions } from '../../packages/core/src/problem/reductions/table.ts'
import * as integrators from '../../packages/core/src/simulation/integrators.ts'
import { supportCases } from '../../scripts/pages/support-cases.ts'
import { root } from '../../tools/pnpm.mjs'

const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const sectionOf = (title: string): string => text('CONTRIBUTING.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const pathsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/`([\w<>./-]+\.\w+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.includes('/') || existsSync(join(root, path)))
/** The files in the numbered items, except the models. */
const listed = (section: string): string[] => {
  const items = section.split('\n').filter((line) => /^(\d+\. | {3})/.test(line))
  return pathsIn(items.join('\n').replaceAll(/`\S+` is the model/g, ''))
}

/** Returns the names that a file lacks. */
type Lacking = (names: readonly string[]) => readonly string[]
const lacking =
  (path: string, spelled: (name: string) => string = (name) => name): Lacking =>
  (names) =>
    names.filter((name) => !new RegExp(`(?<![\\w-])${spelled(name)}(?![\\w-])`).test(text(path)))

/** A table row that begins with the name. */
const row = (path: string): Readonly<Record<string, Lacking>> => ({
  [path]: lacking(path, (name) => `(?<=\\| \`)${name}`),
})

const laws = 'packages/core/src/problem/interactions'
const helpers = ['define', 'from-data', 'interaction', 'known-laws', 'parse-interaction', 'vectors']
const lawFiles = readdirSync(join(root, laws))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'))
  .filter((name) => !helpers.includes(name))
const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const isTerm = (name: string) => {
  const file = lawFiles.find((one) => camelCase(one) === name)
  return file !== undefined && text(`${laws}/${file}.ts`).includes('pairTerm(')
}

/** The rows of the support matrix, with the reductions that they stand for. */
const rows = Object.values(supportCases)
  .flat()
  .map(({ name, workload }) => ({
    name,
    reductions: [...name.split(/\W+/), 'reduction' in workload ? workload.reduction : ''],
  }))

interface List {
  readonly title: string
  /** The existing names of this kind. */
  readonly names: readonly string[]
  /** Files that must have every name. */
  readonly files: Readonly<Record<string, Lacking>>
  /** Pages that a command writes, and that must have every name; they are not numbered items. */
  readonly generated?: Readonly<Record<string, Lacking>>
  /** Files of a single name. */
  readonly own?: readonly string[]
  /** Files that only some names need. */
  readonly sometimes?: readonly string[]
}

const everywhere = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, lacking(path)]))

const lists: Readonly<Record<string, List>> = {
  law: {
    title: 'Adding a law',
    names: lawFiles.map(camelCase),
    files: {
      ...everywhere('packages/core/src/index.ts', 'packages/core/api/index.snapshot.d.ts'),
      ...row('docs/units-and-signs.md'),
      'packages/core/test/support/laws.ts': (names) =>
        lacking('packages/core/test/support/laws.ts')(names).filter((name) => !isTerm(name)),
      // Some laws come from functions that make several.
      'packages/conformance/src/cases/laws/laws.ts': lacking(
        'packages/conformance/src/cases/laws/laws.ts',
        (name) => `${name}(?:Laws?)?`,
      ),
    },
    own: ['packages/core/src/problem/interactions/<name>.ts'],
  },
  function: {
    title: 'Adding a function',
    names: numericNames,
    files: {},
    generated: {
      'docs/expressions.md': lacking('docs/expressions.md', (name) => `${name}(?=\\()`),
      'docs/functions.md': lacking('docs/functions.md'),
    },
    own: ['packages/core/src/language/functions/<name>.ts'],
  },
  reduction: {
    title: 'Adding a reduction',
    names: Object.keys(reductions),
    files: {},
    generated: {
      'docs/support.md': (names) =>
        names.filter((name) => {
          const row = rows.find((row) => row.reductions.includes(name))
          return !row || !text('docs/support.md').includes(`| ${row.name} `)
        }),
    },
    own: ['packages/core/src/truth/folds/<name>.ts'],
  },
  integrator: {
    title: 'Adding an integrator',
    names: Object.keys(integrators),
    files: {
      ...everywhere(
        'packages/core/src/simulation/integrators.ts',
        'packages/core/src/index.ts',
        'packages/core/api/index.snapshot.d.ts',
      ),
      ...row('docs/simulation.md'),
    },
  },
  backend: {
    title: 'Adding a backend',
    names: readdirSync(join(root, 'packages')).flatMap((name) => /^backend-(.*)/.exec(name)?.[1] ?? []),
    files: {
      ...everywhere('tests/node/rooms.test.ts', 'README.md', 'docs/support.md'),
      ...Object.fromEntries(
        [
          'packages/manybody/src/backends.ts',
          'packages/manybody/package.json',
          'tests/package.json',
          'biome.json',
          'tests/node/dependency-rules.test.ts',
          'docs/architecture.md',
        ].map((path) => [path, lacking(path, (name) => `backend-${name}`)]),
      ),
    },
    own: ['packages/backend-<name>/src/index.ts', 'packages/backend-<name>/README.md', 'docs/backends/<name>.md'],
  },
  variant: {
    title: 'Adding a variant of a WebGPU loop',
    names: [...variants, onceVariant],
    files: {
      ...everywhere('packages/backend-webgpu/src/plans/variants.ts', 'tests/gpu/webgpu/variants.test.ts'),
      ...row('docs/backends/webgpu.md'),
    },
    sometimes: [
      'packages/backend-webgpu/src/compile/loops/pair-loop.ts',
      'packages/backend-webgpu/src/compile/designs/designs.ts',
      'packages/backend-webgpu/test/compile/pair-loop.test.ts',
    ],
  },
}

/** New names. */
const invented = { function: 'gamma', reduction: 'mode', value: 'product', index: 'runnerUp' } as const

/** The package files that no longer compile when the unions of functions and reductions get a new name. */
function rejected(): Map<string, string> {
  const { function: called, reduction, value, index } = invented
  const reductionTable = 'packages/core/src/problem/reductions/table.ts'
  const edited = new Map<string, string>()
  for (const [path, union, name] of [
    ['packages/core/src/language/functions/table.ts', 'NumericName', called],
    [reductionTable, 'OtherReduction', reduction],
    [reductionTable, 'ValueOperation', value],
    [reductionTable, 'IndexOperation', index],
  ] as const) {
    const before = edited.get(join(root, path)) ?? text(path)
    const declared = new RegExp(`(?<=^export type ${union} =)\\s*(\\|?)`, 'm')
    expect(before).toMatch(declared)
    edited.set(join(root, path), before.replace(declared, ` '${name}' | `))
  }
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const host = ts.createCompilerHost({ ...options, types: ['node', '@webgpu/types'] })
  const { readFile } = host
  host.readFile = (path) => edited.get(path) ?? readFile(path)
  // Check only files that mention functions or reductions; others cannot depend on the unions.
  const files = readdirSync(join(root, 'packages')).flatMap((name) =>
    ['src', 'test']
      .map((folder) => join(root, 'packages', name, folder))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
      .filter(
        (file) =>
          file.endsWith('.ts') &&
          /\bReduction\b|\breductions?[:,.[]|(Numeric|Function|Math)Name|\bfunctions[.[]/.test(
            readFileSync(file, 'utf8'),
          ),
      ),
  )
  const program = ts.createProgram(files, { ...options, types: ['node', '@webgpu/types'] }, host)
  return new Map(
    files.flatMap((file) => {
      const found = program.getSemanticDiagnostics(program.getSourceFile(file))
      const message = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')).join(' ')
      return message ? [[relative(root, file), message]] : []
    }),
  )
}

const kebabCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const exists = (path: string, names: readonly string[]) =>
  (path.includes('<name>') ? names : ['']).some((name) =>
    existsSync(join(root, path.replace('<name>', kebabCase(name)))),
  )

const compiler = rejected()
/** The files that are rejected with the new name of this kind in the message. */
const rejectedFor = (kind: string): string[] => {
  const name = Object.entries(invented).find(([one]) => one === kind)?.[1]
  return name ? [...compiler].flatMap(([path, message]) => (message.includes(name) ? [path] : [])) : []
}

describe.each(Object.entries(lists))('the list for a new %s', (kind, list) => {
  const { title, names, files, generated = {}, own = [], sometimes = [] } = list

  test('names only files that exist', () => {
    expect(pathsIn(sectionOf(title)).filter((path) => !exists(path, names))).toEqual([])
  })

  test('names every file that the compiler or a test asks for, and no others', () => {
    const asked = [...rejectedFor(kind), ...Object.keys(files), ...own, ...sometimes]
    expect([...new Set(listed(sectionOf(title)))].sort()).toEqual([...new Set(asked)].sort())
  })

  test('says which command writes each generated page', () => {
    const pages = Object.keys(generated)
    expect(pages.filter((page) => !sectionOf(title).includes(`\`${page}\``))).toEqual([])
    if (pages.length) expect(sectionOf(title)).toMatch(/run `npm run \w+`/)
  })

  test.each(Object.entries({ ...files, ...generated }))(
    'has %s, which has every name, and which would be reported if it lacked one',
    (_, lacks) => {
      expect(names.length).toBeGreaterThan(2)
      expect(lacks(names)).toEqual([])
      expect(lacks([...names, 'unheard-of'])).toEqual(['unheard-of'])
    },
  )
})

test.each(['value', 'index'])('a reduction that gives a %s needs three files, and no fold in any backend', (kind) => {
  const [all = ''] = sectionOf('Adding a reduction').split('These files are all')
  const asked = [...rejectedFor(kind), ...(lists.reduction?.own ?? [])]
  expect([...listed(all)].sort()).toEqual(asked.sort())
  expect(asked).toHaveLength(3)
})

test('a function needs six files', () => {
  expect(listed(sectionOf('Adding a function'))).toHaveLength(6)
})

test('the compiler rejects no other files', () => {
  const expected = [...rejectedFor('function'), ...rejectedFor('reduction')]
  expect([...compiler.keys()].sort()).toEqual(expected.sort())
})
