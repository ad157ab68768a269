const entities: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/** Text for the content or an attribute of XML and HTML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char]!)
}
