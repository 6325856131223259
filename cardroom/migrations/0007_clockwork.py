from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cardroom", "0006_faults_of_one_sort"),
    ]

    operations = [
        migrations.CreateModel(
            name="Clockwork",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="clockwork_is_one_row")],
            },
        ),
    ]
