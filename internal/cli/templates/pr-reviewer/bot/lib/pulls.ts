// Where pull requests come from: GitHub, or a sample for https://example.com,
// so that the project runs without a network.

export interface Pull {
  title: string;
  draft: boolean;
  files: number;
  additions: number;
  deletions: number;
}

const pattern = /^https:\/\/(github\.com\/([\w.-]+)\/([\w.-]+)|example\.com)\/pull\/(\d+)$/;

export async function fetchPull(prUrl: string, signal: AbortSignal): Promise<Pull> {
  const match = pattern.exec(prUrl);
  if (!match) {
    throw new Error(`Not a pull request URL: ${prUrl}`);
  }
  const [, , owner, repo, number] = match;
  if (!owner) {
    return { title: `Sample change ${number}`, draft: false, files: 2, additions: 34, deletions: 8 };
  }
  const headers: Record<string, string> = { accept: "application/vnd.github+json" };
  if (process.env.GITHUB_TOKEN) {
    headers.authorization = `Bearer ${process.env.GITHUB_TOKEN}`;
  }
  const response = await fetch(`https://api.github.com/repos/${owner}/${repo}/pulls/${number}`, { headers, signal });
  if (!response.ok) {
    throw new Error(`GitHub answered ${response.status} for ${prUrl}`);
  }
  const pull = await response.json();
  return {
    title: pull.title,
    draft: pull.draft,
    files: pull.changed_files,
    additions: pull.additions,
    deletions: pull.deletions,
  };
}
