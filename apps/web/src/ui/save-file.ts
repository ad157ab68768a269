/** Saves a text or bytes as a file of the person's own. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 120)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
