// Types of bundle.mjs, which runs without a compiler.

export const ownBundle: string
export function bundle(file: string): Promise<void>
