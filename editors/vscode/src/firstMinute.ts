import * as vscode from "vscode";

/** A file with mistakes, which has a schema by what it says it is. */
export const EXAMPLE = `# A few mistakes to try Lofting on: the light bulb (Ctrl+. or \u2318.) offers what was meant.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: "3"
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.29
        imagePullPolicy: always
        resource:
          limits: {memory: 128Mi}
`;

/** Opens the example as a document that is not saved. */
export async function tryExample(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "yaml", content: EXAMPLE });
  await vscode.window.showTextDocument(document);
}
