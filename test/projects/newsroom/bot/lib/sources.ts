export const trusted = new Set(["agencia.example", "diario.example"]);
export const shortened = /^(bit\.ly|t\.co)$/i;

export function hostOf(link: string): string {
  return new URL(link).hostname.replace(/^www\./, "");
}

export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
