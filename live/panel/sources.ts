/** The texts behind the picture: the code generated from the law, and the scene as a program. They load on demand. */

import type { Text } from '../threads/messages.ts'

const sceneTexts = import.meta.glob<string>('../scenes/*.ts', { query: '?raw', import: 'default' })
const painterTexts = import.meta.glob<string>('../drawing/points-*.ts', { query: '?raw', import: 'default' })

/** @param scene its program comes first after the generated code */
export async function sourcesOf(generated: readonly Text[], scene: string): Promise<readonly Text[]> {
  const files = { ...sceneTexts, ...painterTexts }
  const paths = Object.keys(files).filter((path) => !/list|scene\.ts/.test(path))
  const uses = (path: string) => path.endsWith(`/${scene}.ts`)
  paths.sort((a, b) => Number(uses(b)) - Number(uses(a)))
  const programs = await Promise.all(
    paths.map(async (path) => ({ title: path.replace('../', ''), text: (await files[path]?.()) ?? '' })),
  )
  return [...generated, ...programs]
}
