use crate::code_actions::tests::{check_change, check_titles};
use expect_test::expect;

const SHORTHAND: &str = "#- types.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  # What a component gives.
  sch$0ema:
    types:
      # A folder.
      Mount:
        path: string # below the root
        readOnly: boolean | default=false
    parameters:
      # How many.
      replicas: integer | default=1 minimum=1
      mounts: '[]Mount | default=[]'
    envOverrides:
      cpu: string | default=100m
  resources:
    - id: deployment
      forEach: ${parameters.mounts.map(envOverrides, envOverrides.path)}
      var: mount
      template: {a: '${envOverrides.cpu} ${parameters.replicas}'}
";

const OPENAPI: &str = "#- types.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: web}
spec:
  param$0eters:
    openAPIV3Schema:
      type: object
      required: [name]
      properties:
        # What it is called.
        name: {type: string, minLength: 1}
        tags:
          type: array
          uniqueItems: true
          items: {type: string}
          default: []
  environmentConfigs:
    openAPIV3Schema:
      type: object
      properties:
        cpu: {type: string, default: 100m}
  creates:
    - template: {a: '${environmentConfigs.cpu}'}
";

#[test]
fn shorthand_is_written_in_words_of_openapi() {
    check_titles(
        SHORTHAND,
        expect![[r#"
        Convert the schema to `openAPIV3Schema` (refactor.rewrite, Possible)
    "#]],
    );
    check_change(
        SHORTHAND,
        "Convert the schema to `openAPIV3Schema`",
        expect![[r#"
        apiVersion: openchoreo.dev/v1alpha1
        kind: ComponentType
        metadata: {name: web}
        spec:
          workloadType: deployment
          # What a component gives.
          parameters:
            openAPIV3Schema:
              type: object
              properties:
                # How many.
                replicas:
                  type: integer
                  default: 1
                  minimum: 1
                mounts:
                  type: array
                  items:
                    $ref: '#/$defs/Mount'
                  default: []
              $defs:
                # A folder.
                Mount:
                  type: object
                  required:
                  - path
                  properties:
                    # below the root
                    path:
                      type: string
                    readOnly:
                      type: boolean
                      default: false
          environmentConfigs:
            openAPIV3Schema:
              type: object
              properties:
                cpu:
                  type: string
                  default: 100m
          resources:
            - id: deployment
              forEach: ${parameters.mounts.map(envOverrides, envOverrides.path)}
              var: mount
              template: {a: '${environmentConfigs.cpu} ${parameters.replicas}'}
    "#]],
    );
}

#[test]
fn words_of_openapi_are_written_in_shorthand() {
    check_titles(
        OPENAPI,
        expect![[r#"
        Convert the schema to shorthand (refactor.rewrite, Possible)
    "#]],
    );
    check_change(
        OPENAPI,
        "Convert the schema to shorthand",
        expect![[r#"
        apiVersion: openchoreo.dev/v1alpha1
        kind: Trait
        metadata: {name: web}
        spec:
          # not carried over: parameters.tags: `uniqueItems` has no marker
          schema:
            parameters:
              # What it is called.
              name: string | minLength=1
              tags: '[]string | default=[]'
            envOverrides:
              cpu: string | default=100m
          creates:
            - template: {a: '${envOverrides.cpu}'}
    "#]],
    );
}

#[test]
fn a_section_between_the_forms_keeps_its_place() {
    let text = OPENAPI.replace("environmentConfigs:\n    openAPIV3Schema:\n      type: object\n      properties:\n        cpu: {type: string, default: 100m}\n", "environmentConfigs:\n    oc$0Schema:\n      $types: {Size: string}\n      cpu: Size | default=x\n").replace("param$0eters", "parameters");
    check_titles(
        &text,
        expect![[r#"
        Convert the schema to `openAPIV3Schema` (refactor.rewrite, Possible)
    "#]],
    );
    check_change(
        &text,
        "Convert the schema to `openAPIV3Schema`",
        expect![[r#"
        apiVersion: openchoreo.dev/v1alpha1
        kind: Trait
        metadata: {name: web}
        spec:
          parameters:
            openAPIV3Schema:
              type: object
              required: [name]
              properties:
                # What it is called.
                name: {type: string, minLength: 1}
                tags:
                  type: array
                  uniqueItems: true
                  items: {type: string}
                  default: []
          environmentConfigs:
            openAPIV3Schema:
              type: object
              properties:
                cpu:
                  $ref: '#/$defs/Size'
                  default: x
              $defs:
                Size:
                  type: string
          creates:
            - template: {a: '${environmentConfigs.cpu}'}
    "#]],
    );
}

#[test]
fn elsewhere_nothing_is_offered() {
    let at = |from: &str, to: &str| SHORTHAND.replace("sch$0ema", "schema").replace(from, to);
    check_titles(&at("replicas:", "repli$0cas:"), expect![[""]]);
    check_titles(&at("template:", "tem$0plate:"), expect![[""]]);
    check_titles(&at("integer |", "inte$0ger |"), expect![[""]]);
    check_titles(&at("kind:", "ki$0nd:"), expect![[""]]);
    // What is wrong is mended first.
    let wrong = SHORTHAND.replace("integer | default=1", "integer | default=x");
    check_titles(&wrong, expect![[""]]);
    // In flow style there is no room.
    let flow = "#- types.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: a}\nspec: {sch$0ema: {parameters: {a: string}}}\n";
    check_titles(flow, expect![[""]]);
}
