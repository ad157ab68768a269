/** What the address of the files page says beside its path. */
export interface FilesSearch {
  /** The folder; the uppermost one where it is absent. */
  path?: string
  /** The file that is shown, from the workspace's root. */
  open?: string
}

export function toFilesSearch({ path, open }: Record<string, unknown>): FilesSearch {
  return { ...(isPath(path) && { path }), ...(isPath(open) && { open }) }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value.length <= 4096
}
