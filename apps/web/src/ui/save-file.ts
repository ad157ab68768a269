/** Saves a text or bytes as a file of the person's own. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = toSavedName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A name without what file systems refuse, and without what would show it as another. */
export function toSavedName(name: string): string {
  return name.replace(/[\\/:*?"<>|\p{Cc}\p{Bidi_Control}]+/gu, '-').slice(0, 120)
}
