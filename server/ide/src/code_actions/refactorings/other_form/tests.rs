use crate::code_actions::tests::{check_change, titles};
use crate::fixture::open;
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

/// Whether a conversion is offered at the cursor.
fn is_offered(fixture: &str) -> bool {
    titles(&open(fixture)).contains("Convert the schema")
}

#[test]
fn shorthand_is_written_in_words_of_openapi() {
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
    assert!(!is_offered(&at("replicas:", "repli$0cas:")));
    assert!(!is_offered(&at("template:", "tem$0plate:")));
    assert!(!is_offered(&at("integer |", "inte$0ger |")));
    assert!(!is_offered(&at("kind:", "ki$0nd:")));
    // Errors have to be fixed first.
    let wrong = SHORTHAND.replace("integer | default=1", "integer | default=x");
    assert!(!is_offered(&wrong));
    // Flow style is not supported.
    let flow = "#- types.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: a}\nspec: {sch$0ema: {parameters: {a: string}}}\n";
    assert!(!is_offered(flow));
}
