// Files as other programs write them: read correctly, or rejected with the cause.

import { expect, it } from 'vitest'
import { readCsv, readXyz, type XyzFrame } from '../src/files/index.ts'

const place = { position: Float64Array.of(1, 2.5, 3), dimension: 3 }

it.each<[style: string, text: string, attributes?: object]>([
  ['blanks after commas', 'x, y, z\n1, 2.5, 3\n'],
  ['a byte order mark', '\uFEFF"x",y,z\r\n1,2.5,3\r\n'],
  ['ends of lines of old Macs', 'x,y,z\r1,2.5,3\r'],
  ['quotes', '"x","y","z"\n"1","2.5","3"\n'],
  ['capitals', 'X,Y,Z,VX,Vy,vz\n1,2.5,3,4,5,6\n', { velocity: Float64Array.of(4, 5, 6) }],
  ['small and capital letters', 'x,y,z,X,Z\n1,2.5,3,0.7,0.02\n', { X: Float64Array.of(0.7), Z: Float64Array.of(0.02) }],
  ['comments and blank lines', '# epoch 2000\n\n  # by hand\nx,y,z\n\n1,2.5,3\n# the end'],
  [
    'the names in a comment, as of NumPy',
    '# made by a script\n# x y z m\n1.0e+00 2.5e+00 3.0e+00 7\n',
    { m: Float64Array.of(7) },
  ],
  ['the names in a comment, with commas', '#x,y,z\n1,2.5,3'],
  ['semicolons', 'x;y;z\n1;2.5;3\n'],
  ['semicolons and decimal commas', 'x;y;z;"a,b"\n1,0;2,5;3;-1,5e-3\n', { 'a,b': Float64Array.of(-1.5e-3) }],
  ['tabs', 'x\ty\tz\tmy mass\n1\t2.5\t3\t4\n', { 'my mass': Float64Array.of(4) }],
  ['blanks between', '  x   y z\n 1  2.5\t3  \n'],
  ['blanks between and quotes, as of R', '"x" "y" "z"\n1 "2.5" 3\n'],
  ['an index without a name, as of pandas', ',x,y,z\n0,1,2.5,3\n'],
  ['an index in quotes, as of R', '"","x","y","z"\n"1",1,2.5,3\n'],
  ['a comma at the end', 'x,y,z,\n1,2.5,3,\n'],
  ['exponents of Fortran', 'x,y,z\n1D0,.25d+01,300.D-2\n'],
  ['quotes within quotes', 'x,y,z,"say ""so"", now"\n1,2.5,3,4', { 'say "so", now': Float64Array.of(4) }],
  ['a name on two lines', 'x,y,z,"a\r\nb"\r\n1,2.5,3,4\r\n', { 'a\nb': Float64Array.of(4) }],
  ['a quote within a name', 'x,y,z,5" pipe\n1,2.5,3,4', { '5" pipe': Float64Array.of(4) }],
])('CSV with %s is read', async (_, text, attributes = {}) => {
  for (const size of [1, 3, 1000]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
    expect(await readCsv(pieces), `${size}`).toEqual({ ...place, ...attributes })
  }
})

it('CSV is read with the names, words and missing numbers that the caller gives', async () => {
  const text = 'id,name,x [kpc],y [kpc],z [kpc],m\n4295806720123456789,"Sun, our",1,2.5,3,\n2,NaN,4,5,6,NaN\n'
  const names = { 'x [kpc]': 'x', 'y [kpc]': 'y', 'z [kpc]': 'z' }
  expect(await readCsv(text, { names, text: ['id', 'name'], missing: -1 })).toEqual({
    id: ['4295806720123456789', '2'],
    name: ['Sun, our', 'NaN'],
    position: Float64Array.of(1, 2.5, 3, 4, 5, 6),
    m: Float64Array.of(-1, -1),
    dimension: 3,
  })
})

it.each<[what: string, text: string, options: object, message: string]>([
  ['units in the names', 'x [kpc],y\n1,2\n', {}, 'line 1: the column "x" is missing; given: "x [kpc]", "y"'],
  ['no names', '1,2,3\n', {}, 'line 1: expected names, such as x,y,z,mass, got "1,2,3"'],
  ['a comment without the names', '# epoch 2000\n1,2,3\n', {}, 'got "1,2,3" behind "# epoch 2000"'],
  [
    'words',
    'x,y,name\n1,2,Sun\n',
    {},
    '"name" expected a number, got "Sun"; to read the column as text, give text: ["name"]',
  ],
  ['a missing place', 'x,y\n1,\n', { missing: 0 }, 'line 2: "y" expected a number, got ""'],
  [
    'a missing attribute',
    'x,y,m\n1,2,\n',
    {},
    '"m" expected a number, got ""; give "missing", the number for such fields',
  ],
  ['blanks in quotes', 'x,y\n1," "\n', {}, '"y" expected a number, got " "'],
  ['hexadecimal digits', 'x,y\n1,0x10\n', {}, '"y" expected a number, got "0x10"'],
  ['a number beyond float64', 'x,y\n1,1e999\n', {}, '"y" expected a number, got "1e999"'],
  [
    'a long identifier',
    'x,y,id\n1,2,4295806720123456789\n',
    {},
    'expected a number that float64 holds exactly, got "4295806720123456789"; to read',
  ],
  ['thousands', 'x;y\n1,5;2.5\n', {}, 'line 2: expected the decimal mark of the numbers before, ",", got "2.5"'],
  ['decimal commas between commas', 'x,y\n1,5,2,5\n', {}, 'line 2: expected 2 fields, got 4'],
  ['an open quote', 'x,y\n1,2\n"1,2\n3,4\n', {}, 'line 3: expected the closing quote of a field'],
  ['text behind a quote', 'x,y\n"1"2,3\n', {}, 'line 2: expected a separator behind a field in quotes, got "2"'],
  ['a name that no column has', 'x,y\n1,2\n', { names: { u: 'x' } }, 'expected a column "u", which "names" has'],
  ['words that no column has', 'x,y\n1,2\n', { text: ['id'] }, 'expected a column "id", which "text" has'],
  ['positions as words', 'x,y\n1,2\n', { text: ['x'] }, '"text" expected attributes, got "x"'],
  ['an unknown option', 'x,y\n', { txt: [] }, '"txt" is not an option of readCsv'],
  ['missing numbers that are none', 'x,y\n', { missing: Number.NaN }, '"missing" expected finite number, got NaN'],
])('CSV with %s is refused', async (_, text, options, message) => {
  await expect(readCsv(text, options)).rejects.toThrow(message)
})

async function first(text: string): Promise<XyzFrame> {
  for await (const frame of readXyz(text)) return frame
  throw new Error('no frame')
}
const box = 'Lattice="10 0 0 0 11 0 0 0 12"'
const lattice = Float64Array.of(10, 0, 0, 0, 11, 0, 0, 0, 12)

it.each<[what: string, comment: string, line: string, frame: object]>([
  [
    'an identifier and velocities, as of OVITO',
    `${box} Properties=id:I:1:type:I:1:pos:R:3:velo:R:3`,
    '7 2 1 2 3 0.5 0 -1',
    {
      lattice,
      symbols: ['2'],
      id: Float64Array.of(7),
      type: Float64Array.of(2),
      velocity: Float64Array.of(0.5, 0, -1),
    },
  ],
  [
    'velocities, as of LAMMPS',
    'Timestep=7 Properties=species:S:1:pos:R:3:vel:R:3',
    'Ar 1 2 3 4 5 6',
    { Timestep: 7, velocity: Float64Array.of(4, 5, 6) },
  ],
  [
    'the mass before the position',
    'Properties=mass:R:1:species:S:1:pos:R:3',
    '39.9 Ar 1 2 3',
    { mass: Float64Array.of(39.9) },
  ],
  [
    'forces before the position',
    'Properties=species:S:1:forces:R:3:pos:R:3',
    'Ar 7 8 9 1 2 3',
    { forces: Float64Array.of(7, 8, 9) },
  ],
  [
    'truth values and words',
    'Properties=species:S:1:pos:R:3:fixed:L:2:site:S:1',
    'Ar 1 2 3 T 0 "a',
    { fixed: Float64Array.of(1, 0), site: ['"a'] },
  ],
  ['atomic numbers', 'Properties=Z:I:1:positions:R:3', '18 1 2 3', { symbols: ['18'], Z: Float64Array.of(18) }],
  ['no symbols', 'Properties=pos:R:3', '1 2 3', { symbols: ['X'] }],
  [
    'numbers of the frame',
    'Properties=species:S:1:pos:R:3 energy = -1.5 name="a b" n=2 1=1 stress="1 2" converged',
    'Ar 1 2 3',
    { energy: -1.5, n: 2, 1: 1 },
  ],
  [
    'quotes and escapes',
    'Properties="species:S:1:pos:R:3" comment="say \\"so\\", a=b\\n\\\\" "an energy"=3',
    'Ar 1 2 3',
    { comment: 'say "so", a=b\n\\', 'an energy': 3 },
  ],
  [
    'new arrays',
    'Properties=species:S:1:pos:R:3 Lattice=[[10, 0, 0], [0, 11, 0], [0, 0, 12]] pbc=[T, F, true]',
    'Ar 1 2 3',
    { lattice, pbc: [true, false, true] },
  ],
  [
    'old arrays',
    'Properties=species:S:1:pos:R:3 Lattice={10 11 12} pbc="1 0 FALSE"',
    'Ar 1 2 3',
    { lattice, pbc: [true, false, false] },
  ],
  ['a box and no columns', `${box} pbc="T T F"`, 'Ar 1 2 3 9 9', { lattice, pbc: [true, true, false] }],
  ['any text', 'Atoms. Timestep: 1000, "open', 'Ar\t1  2 3', {}],
  [
    'keys in other letters',
    'properties=species:S:1:forces:R:3:pos:R:3 LATTICE="10 0 0 0 11 0 0 0 12" PBC="T F T"',
    'Ar 7 8 9 1 2 3',
    { forces: Float64Array.of(7, 8, 9), lattice, pbc: [true, false, true] },
  ],
  ['a lattice in words', 'fcc, lattice=5.26', 'Ar 1 2 3', {}],
  ['the word Lattice', 'my Lattices of 3, Properties: none', ' Ar 1D0 2.0 0.3d1 0.5', {}],
])('XYZ with %s is read', async (_, comment, line, frame) => {
  const expected = { comment, symbols: ['Ar'], position: Float64Array.of(1, 2, 3), ...frame }
  expect(await first(`\n1\n${comment}\n${line}\n\n`)).toEqual(expected)
})

it.each<[what: string, comment: string, line: string, message: string]>([
  [
    'columns in another order that nothing names',
    'ITEM: ATOMS id type x y z',
    '1 1 5.25 2.5 0.5',
    'line 3: expected a symbol and 3 coordinates, got 5 columns that begin with a number; say in the comment',
  ],
  [
    'fewer columns than it names',
    'Properties=species:S:1:pos:R:3:mass:R:1',
    'Ar 1 2 3',
    'line 3: expected 5 columns, those of "Properties", got 4',
  ],
  [
    'more columns than it names',
    'Properties=species:S:1:pos:R:3',
    'Ar 1 2 3 4',
    'line 3: expected 4 columns, those of "Properties", got 5',
  ],
  [
    'no position',
    'Properties=species:S:1:scaled_pos:R:3',
    'Ar 1 2 3',
    'line 2: "Properties" expected positions, such as pos:R:3, got species, scaled_pos',
  ],
  [
    'positions that are words',
    'Properties=species:S:1:pos:S:3',
    'Ar 1 2 3',
    '"Properties" expected pos:R:3, got pos:S:3',
  ],
  [
    'a position of four numbers',
    'Properties=species:S:1:pos:R:4',
    'Ar 1 2 3 4',
    '"Properties" expected pos:R:3, got pos:R:4',
  ],
  ['a column twice', 'Properties=pos:R:3:pos:R:3', '1 2 3 1 2 3', '"Properties" has "pos" twice'],
  [
    'an unknown type',
    'Properties=species:S:1:pos:F:3',
    'Ar 1 2 3',
    'a type (S, I, R or L) and a width, such as pos:R:3, got "pos:F:3"',
  ],
  ['half a column', 'Properties=species:S:1:pos:R', 'Ar 1 2 3', 'got "pos:R"'],
  [
    'a column that a frame has itself',
    'Properties=species:S:1:pos:R:3:pbc:R:1',
    'Ar 1 2 3 4',
    '"Properties" has a column "pbc", which another part',
  ],
  [
    'an integer that is none',
    'Properties=species:S:1:pos:R:3:id:I:1',
    'Ar 1 2 3 4.5',
    'line 3: "id" expected an integer, got "4.5"',
  ],
  [
    'a truth value that is none',
    'Properties=species:S:1:pos:R:3:fixed:L:1',
    'Ar 1 2 3 yes',
    '"fixed" expected T or F, got "yes"',
  ],
  [
    'a short lattice',
    'Lattice="10 0 0 10"',
    'Ar 1 2 3',
    '"Lattice" expected 9 numbers, the edges of the box, got "10 0 0 10"',
  ],
  ['a short pbc', `${box} pbc=T`, 'Ar 1 2 3', '"pbc" expected three of T and F, got "T"'],
  ['an open quote', 'Properties="species:S:1:pos:R:3', 'Ar 1 2 3', 'the comment expected a closing quote'],
  ['an open bracket', 'Properties=species:S:1:pos:R:3 a=[[1]', 'Ar 1 2 3', 'the comment expected a closing bracket'],
  ['no value', 'Properties=', 'Ar 1 2 3', 'the comment expected a value of "Properties", got nothing'],
  [
    'numbers that touch',
    '',
    'H -100.125-200.250-300.500',
    'line 3: "x" expected a number, got "-100.125-200.250-300.500"',
  ],
])('XYZ with %s is refused', async (_, comment, line, message) => {
  await expect(first(`1\n${comment}\n${line}\n`)).rejects.toThrow(message)
})

it('points of a file in 2-D are in 2-D', async () => {
  expect(await first('1\nProperties=species:S:1:pos:R:2:velo:R:2\nAr 1 2 3 4\n')).toMatchObject({
    dimension: 2,
    position: Float64Array.of(1, 2),
    velocity: Float64Array.of(3, 4),
  })
  const deep = await first('1\nProperties=species:S:1:pos:R:3 dimension=2\nAr 1 2 3\n')
  expect([deep.dimension, deep.position.length]).toEqual([undefined, 3])
})
