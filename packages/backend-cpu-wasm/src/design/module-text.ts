/**
 * The bytes of a module as text for files. Base64 spreads a byte over two letters, so that compression finds little that
 * repeats. Here each byte begins with a letter, and the most frequent bytes of modules are one letter. Compressed, a file is a
 * third smaller.
 *
 * @module
 */

/** All that neither JSON nor a string of JavaScript escapes. */
const letters: string = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n))
  .filter((letter) => !'\\"\'`$'.includes(letter))
  .join('')

/** The last two letters begin a pair. */
const singles: number = letters.length - 2

/** Bytes from here on come first, because instructions of vectors begin with them. */
const first = 0xfc

export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const rank = (byte - first) & 0xff
    const [pair, rest] = [Math.floor((rank - singles) / singles), (rank - singles) % singles]
    return rank < singles ? letters[rank] : `${letters[singles + pair]}${letters[rest]}`
  }).join('')
}

/** @throws TypeError for a text that is none */
export function bytesFrom(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  let [length, pair] = [0, 0]
  for (const letter of text) {
    const at = letters.indexOf(letter)
    if (at < 0) throw new TypeError(`"module" expected the text of a module, got ${JSON.stringify(letter)} in it`)
    if (at < singles) {
      bytes[length++] = at + pair * singles + first
      pair = 0
    } else pair = at - singles + 1
  }
  return bytes.slice(0, length)
}
