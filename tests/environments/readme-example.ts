// Finds the README's example: the first js or ts block after `<!-- example -->`, and the text block with its output. It runs nothing.

export interface Example {
  readonly code: string
  readonly answer: string
}

export function readmeExample(readme: string): Example {
  const pattern = /<!-- example -->[\s\S]*?```(?:js|ts)\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/
  const [, code, answer] = pattern.exec(readme) ?? []
  if (code === undefined || answer === undefined) {
    throw new Error('README.md: expected "<!-- example -->", then a js or ts block, then a text block with its output')
  }
  return { code, answer }
}
