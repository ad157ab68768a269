/** Letters and digits that look like one of those in our own name, by what they look like. */
const lookAlikes: Record<string, string> = {
  a: '4@аɑαᴀꭺᎪꓮᗅⲁ',
  d: 'ԁɗđɖꓓꭰᎠꮷᏧᗞᗪᑯᴅðⅾ',
  t: '7тτᴛꭲᎢꓔŧƭʈⲧ',
  g: '69ɡցƍɢǥᶃꮐᏀԍɠꓖᏻ',
  e: '3еҽɛεєᴇꭼᎬꓰⲉꬲəǝɘ',
  n: 'пռηɴŋνꓠⲛƞɲɳиꮑᏁո',
}

const plain = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
)

/** Whether people could take `name` for `original`: by case, accents, look-alikes, separators. */
export function imitates(name: string, original: string): boolean {
  return toSkeleton(name) === toSkeleton(original)
}

function toSkeleton(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().normalize('NFKD')
  const bare = letters.replaceAll(/[^\p{L}\p{N}@]/gu, '')
  return [...bare].map((letter) => plain.get(letter) ?? letter).join('')
}
