/** The command line for a record. It can be typed again, and contains no folders of this machine. */

import { basename, isAbsolute } from 'node:path'

/** @param program `npm run bench --` */
export function typedCommand(program: string, args: readonly string[]): string {
  return args.length === 0 ? program.replace(/ --$/, '') : [program, ...args.map(typed)].join(' ')
}

function typed(arg: string): string {
  const [, option = '', value = arg] = /^(--[\w-]+=)(.*)$/s.exec(arg) ?? []
  const shown = option + (isAbsolute(value) ? basename(value) : value)
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`
}
